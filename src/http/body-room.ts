import type { Clock } from '../core/ports.ts';

/** Room for bodies in memory: who brings one waits, unread, until there is. */
export interface BodyRoom {
  /** Resolves to the way to give the room back, in the order of asking; null where there was none within the patience. */
  take(bytes: number): Promise<(() => void) | null>;
}

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

/** `mostBytes` are shared by all; a body that is larger alone is let in alone. */
export function bodyRoom(mostBytes: number, patienceMs: number, { after }: Pick<Clock, 'after'>): BodyRoom {
  const queue: Waiting[] = [];
  let taken = 0;

  const fits = (bytes: number): boolean => taken === 0 || taken + bytes <= mostBytes;

  function begin(bytes: number): () => void {
    taken += bytes;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      taken -= bytes;
      for (let next = queue[0]; next !== undefined && fits(next.bytes); next = queue[0]) {
        queue.shift();
        next.begin();
      }
    };
  }

  return {
    async take(bytes) {
      if (queue.length === 0 && fits(bytes)) return begin(bytes);
      return new Promise(resolve => {
        const waiting: Waiting = {
          bytes,
          begin() {
            cancel();
            resolve(begin(bytes));
          },
        };
        const cancel = after(patienceMs, () => {
          queue.splice(queue.indexOf(waiting), 1);
          resolve(null);
        });
        queue.push(waiting);
      });
    },
  };
}
