import { setTimeout as sleep } from 'node:timers/promises';
import { StorageError } from '../../src/core/storage-error.ts';
import { openStoresAt, type Place } from './stores-at.ts';
import { kinds, write } from './written.ts';

/**
 * Writes to the stores of the place given, eight at a time, and prints what was acknowledged, a line each, until it is
 * killed. What a store refuses is not acknowledged, and the next is tried.
 */
const [place = '', prefix = ''] = process.argv.slice(2);
const stores = await openStoresAt(JSON.parse(place) as Place);
process.stdout.write('open\n');

async function writeOn(writer: number): Promise<never> {
  for (let at = 0; ; at += 1) {
    const id = `${prefix}-${writer}-${at}`;
    try {
      for (const kind of kinds) {
        await write(stores, kind, id);
        process.stdout.write(`${kind} ${id}\n`);
      }
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      await sleep(20);
    }
  }
}

await Promise.all(Array.from({ length: 8 }, (_, writer) => writeOn(writer)));
