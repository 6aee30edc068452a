import type { Provider } from '../../core/ports.ts';
import { working } from '../../core/readiness.ts';

/** A provider whose insides can be replaced while it answers. */
export interface SwappableProvider extends Provider {
  /** What comes from now on is the next one's; the one before is closed once all it was asked is answered. */
  swap(next: Provider): void;
}

interface Generation {
  readonly provider: Provider;
  running: number;
  retired: boolean;
}

/** Wraps a provider; both it and its successors are closed by the wrapper. They offer the same things. */
export function swappableProvider(first: Provider, closeFailed: (error: unknown) => void): SwappableProvider {
  let current: Generation = { provider: first, running: 0, retired: false };
  const closing = new Set<Promise<void>>();

  const closeRetired = ({ provider }: Generation): void => {
    const closed = Promise.resolve(provider.close?.()).catch(closeFailed);
    closing.add(closed);
    void closed.finally(() => closing.delete(closed));
  };
  const within = async <T>(work: (provider: Provider) => Promise<T>): Promise<T> => {
    const generation = current;
    generation.running += 1;
    try {
      return await work(generation.provider);
    } finally {
      generation.running -= 1;
      if (generation.retired && generation.running === 0) closeRetired(generation);
    }
  };
  const absorb: Provider['absorb'] = (...args) =>
    within(async provider => {
      if (provider.absorb === undefined) throw new Error('a provider was swapped for one that absorbs nothing');
      return provider.absorb(...args);
    });
  return {
    kind: first.kind,
    get corpusHash() {
      return current.provider.corpusHash;
    },
    attribute: (request, context) => within(provider => provider.attribute(request, context)),
    ...(first.absorb === undefined ? {} : { absorb }),
    state: signal => within(async provider => provider.state?.(signal) ?? { ...working, sources: [] }),
    async close() {
      await current.provider.close?.();
      await Promise.all(closing);
    },
    swap(next) {
      const before = current;
      current = { provider: next, running: 0, retired: false };
      before.retired = true;
      if (before.running === 0) closeRetired(before);
    },
  };
}
