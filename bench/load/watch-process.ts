import { readdirSync, readFileSync } from 'node:fs';

/** What a process holds at a moment. */
export interface Held {
  /** Seconds since watching began. */
  readonly at: number;
  readonly residentMib: number;
  readonly descriptors: number;
}

export interface Watch {
  /** Oldest first. */
  readonly samples: readonly Held[];
  stop(): void;
}

export function heldBy(pid: number): Omit<Held, 'at'> {
  const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return {
    residentMib: Number(resident ?? Number.NaN) / 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  };
}

/** Looks at a process of this machine once a second. */
export function watchProcess(pid: number): Watch {
  const began = performance.now();
  const samples: Held[] = [];
  const look = (): void => {
    samples.push({ at: (performance.now() - began) / 1000, ...heldBy(pid) });
  };
  look();
  const timer = setInterval(look, 1_000);
  return { samples, stop: () => clearInterval(timer) };
}

/** Between two shares of what was seen (0 to 1, in time): the middle one of the figures. */
export function middleOf(samples: readonly Held[], from: number, to: number): Omit<Held, 'at'> {
  const part = samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to));
  const middle = (of: (held: Held) => number): number =>
    part.map(of).sort((a, b) => a - b)[Math.floor(part.length / 2)] ?? Number.NaN;
  return { residentMib: middle(held => held.residentMib), descriptors: middle(held => held.descriptors) };
}
