/** A finite float as Python's `repr` writes it: `1.0`, `10000.5`, `1e+20`, `1e-05`; the shortest digits that read back. */
export function pythonFloat(value: number): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const [mantissa = '0', power = '0'] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const exponent = Number(power);
  return sign + (exponent >= -4 && exponent < 16 ? positional(digits, exponent) : scientific(digits, exponent));
}

function positional(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${whole}.${digits.slice(exponent + 1) || '0'}`;
}

function scientific(digits: string, exponent: number): string {
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
  const power = Math.abs(exponent).toString().padStart(2, '0');
  return `${digits.charAt(0)}${fraction}e${exponent < 0 ? '-' : '+'}${power}`;
}
