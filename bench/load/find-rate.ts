import type { Tally } from './drive.ts';

/**
 * The highest rate, to a tenth, that a step of `at` met without overload: doubled until one is too high, then halved
 * in between. A step is too high where something was refused, or waited for a caller.
 */
export async function findRate(
  at: (rate: number) => Promise<Pick<Tally, 'overloads' | 'late'>>,
  options: { readonly from: number; readonly most: number },
): Promise<number> {
  const bears = async (rate: number): Promise<boolean> => {
    const { overloads, late } = await at(rate);
    return overloads === 0 && late === 0;
  };
  let borne = 0;
  let tried = options.from;
  while (tried <= options.most && (await bears(tried))) {
    borne = tried;
    tried *= 2;
  }
  let tooMuch = Math.min(tried, options.most * 2);
  while (tooMuch - borne > Math.max(1, borne / 10)) {
    const middle = (borne + tooMuch) / 2;
    if (await bears(middle)) borne = middle;
    else tooMuch = middle;
  }
  return borne;
}
