/** How one of several merged generators ended; `abandoned` is one that did not end while there was patience. */
export type Ending<R> =
  | { readonly kind: 'returned'; readonly value: R }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'abandoned' };

/**
 * Runs generators side by side and yields what they yield, first come first served. Each is at most one item ahead of
 * the consumer, so a fast one waits in line behind the others, and a slow consumer slows them all. Returns how each
 * ended, in the order given. Once `patience` aborts nothing more is waited for.
 */
export async function* merge<T, R>(
  generators: readonly AsyncGenerator<T, R, void>[],
  patience?: AbortSignal,
): AsyncGenerator<T, readonly Ending<R>[], void> {
  const endings: Ending<R>[] = generators.map(() => ({ kind: 'abandoned' }));
  const open = new Set(generators.keys());
  const ready: { readonly index: number; readonly item: T }[] = [];
  let wake = (): void => {};

  const advance = async (index: number, generator: AsyncGenerator<T, R, void>): Promise<void> => {
    try {
      const step = await generator.next();
      if (!step.done) ready.push({ index, item: step.value });
      else end(index, { kind: 'returned', value: step.value });
    } catch (error) {
      end(index, { kind: 'threw', error });
    }
    wake();
  };
  const end = (index: number, ending: Ending<R>): void => {
    if (open.delete(index)) endings[index] = ending;
  };
  const rouse = (): void => wake();

  patience?.addEventListener('abort', rouse);
  try {
    for (const [index, generator] of generators.entries()) void advance(index, generator);
    for (;;) {
      const next = ready.shift();
      if (next !== undefined) {
        const generator = generators[next.index];
        if (generator !== undefined) void advance(next.index, generator);
        yield next.item;
      } else if (open.size === 0 || patience?.aborted === true) {
        return endings.slice();
      } else {
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
    }
  } finally {
    patience?.removeEventListener('abort', rouse);
    for (const index of open) generators[index]?.return(undefined as never).catch(() => {});
  }
}
