import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStoresAt, type Place, type StoresAt } from './stores-at.ts';
import { isThere, type Kind } from './written.ts';

export interface KillsResult {
  readonly kills: number;
  /** Of them, before the stores were open. */
  readonly early: number;
  readonly acknowledged: number;
  /** Each in words. */
  readonly lost: readonly string[];
  readonly corrupt: readonly string[];
  /** How long the stores took to open after each kill, repair included; the shortest first. */
  readonly openMs: readonly number[];
}

export interface KillOptions {
  readonly kills: number;
  /** Says what is wrong with the store itself, in words; it is open. */
  examine(stores: StoresAt): Promise<readonly string[]>;
  /** What befalls the store itself while a writer writes, now and then; it resolves once the store works again. */
  disaster?(kill: number): (() => Promise<void>) | null;
  /** A number from 0 to 1. */
  random(): number;
}

/** A writer is killed after up to so many acknowledgements, on a slow machine as on a fast one ... */
const mostAcknowledged = 60;
/** ... and up to so long after the last of them: between any two steps of a write. */
const longestWritingMs = 20;
/** A writer that is killed early dies this late after its start, whatever it does then. */
const longestStartMs = 400;
/** Where a store gives nothing more, the kill comes all the same. */
const patienceMs = 10_000;
const earlyShare = 0.2;

interface Acknowledgement {
  readonly kind: Kind;
  readonly id: string;
}

/** Starts a writer, kills it at a random moment, opens the stores and looks for all that was acknowledged; and again. */
export async function killWriters(place: Place, options: KillOptions): Promise<KillsResult> {
  const { kills, examine, disaster, random } = options;
  const all: Acknowledgement[] = [];
  const openMs: number[] = [];
  const lost = new Set<string>();
  const corrupt: string[] = [];
  let early = 0;

  for (let kill = 0; kill < kills; kill += 1) {
    const isEarly = random() < earlyShare;
    const waitMs = random() * (isEarly ? longestStartMs : longestWritingMs);
    const wanted = isEarly ? null : Math.floor(random() * mostAcknowledged);
    const acknowledged = await writeUntilKilled(place, `k${kill}`, wanted, waitMs, disaster?.(kill) ?? null);
    if (acknowledged === null) early += 1;
    all.push(...(acknowledged ?? []));
    const began = performance.now();
    const stores = await openStoresAt(place);
    openMs.push(performance.now() - began);
    // All of it at the end, and what is new each time.
    await look(stores, kill === kills - 1 ? all : (acknowledged ?? []));
    corrupt.push(...(await examine(stores)));
    await stores.database.close();
  }
  return {
    kills,
    early,
    acknowledged: all.length,
    lost: [...lost],
    corrupt,
    openMs: openMs.toSorted((a, b) => a - b),
  };

  async function look(stores: StoresAt, wanted: readonly Acknowledgement[]): Promise<void> {
    for (let at = 0; at < wanted.length; at += 32) {
      const some = wanted.slice(at, at + 32);
      const there = await Promise.all(some.map(({ kind, id }) => isThere(stores, kind, id)));
      for (const [place, { kind, id }] of some.entries()) if (!there[place]) lost.add(`${kind} ${id}`);
    }
  }
}

/**
 * What a writer acknowledged before its end, `wanted` pieces at least unless that is null; null where it did not come to
 * open the stores.
 */
async function writeUntilKilled(
  place: Place,
  prefix: string,
  wanted: number | null,
  waitMs: number,
  disaster: (() => Promise<void>) | null,
): Promise<readonly Acknowledgement[] | null> {
  const program = join(import.meta.dirname, 'store-writer.ts');
  const child = spawn(process.execPath, [program, JSON.stringify(place), prefix], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const acknowledged: Acknowledgement[] = [];
  const opened = Promise.withResolvers<void>();
  const enough = Promise.withResolvers<void>();
  let isOpen = false;
  const reading = readLines(child, line => {
    const [kind, id] = line.split(' ');
    if (id !== undefined) acknowledged.push({ kind: kind as Kind, id });
    isOpen = true;
    opened.resolve();
    if (acknowledged.length >= (wanted ?? 0)) enough.resolve();
  });
  const ended = once(child, 'exit');
  if (wanted !== null || disaster !== null) await Promise.race([opened.promise, ended]);
  await disaster?.();
  if (wanted !== null) await Promise.race([enough.promise, ended, sleep(patienceMs, null, { ref: false })]);
  await sleep(waitMs);
  child.kill('SIGKILL');
  await Promise.all([ended, reading]);
  if (child.signalCode !== 'SIGKILL') throw new Error(`the writer ended by itself (${child.exitCode})`);
  return isOpen ? acknowledged : null;
}

async function readLines(child: ChildProcess, take: (line: string) => void): Promise<void> {
  if (child.stdout === null) return;
  for await (const line of createInterface({ input: child.stdout })) take(line);
}
