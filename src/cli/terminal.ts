/** How text for people is marked up; every function returns its text unchanged where colour is off. */
export interface Style {
  readonly strong: (text: string) => string;
  readonly alarm: (text: string) => string;
  readonly faint: (text: string) => string;
}

const plain: Style = { strong: text => text, alarm: text => text, faint: text => text };

const wrap =
  (code: number) =>
  (text: string): string =>
    `\u001b[${code}m${text}\u001b[0m`;

/** Colour only on a terminal that wants it: `--no-color`, `NO_COLOR` and `TERM=dumb` turn it off. */
export function styleFor(
  stream: { readonly isTTY?: boolean },
  color: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): Style {
  const off = !color || (environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb';
  if (off || stream.isTTY !== true) return plain;
  return { strong: wrap(1), alarm: wrap(31), faint: wrap(2) };
}
