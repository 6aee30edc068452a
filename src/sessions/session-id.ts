import type { Clock } from '../core/ports.ts';
import { millisecond } from '../core/time.ts';

type RandomBytes = (count: number) => Uint8Array;

/** 128 random bits: guessing the id of another caller's session is hopeless. */
const randomBytesOfId = 16;
/** Milliseconds, for some thousand years. */
const timeBytes = 6;

/**
 * Ids of sessions and requests: 30 url-safe characters each, the time and then the randomness handed in. Those of one
 * time begin alike, so that stores find room for them side by side and not each on another page.
 */
export function randomIds(clock: Pick<Clock, 'now'>, randomBytes: RandomBytes): () => string {
  return () => {
    const id = Buffer.allocUnsafe(timeBytes + randomBytesOfId);
    id.writeUIntBE(Number(clock.now() / millisecond), 0, timeBytes);
    id.set(randomBytes(randomBytesOfId), timeBytes);
    return id.toString('base64url');
  };
}

const drawnAtOnce = 4_096;

/** The same randomness, asked for so much at once that asking costs nothing. What has been handed out is wiped. */
export function drawAhead(randomBytes: RandomBytes): RandomBytes {
  let drawn = new Uint8Array();
  return count => {
    if (drawn.length < count) drawn = Uint8Array.from(randomBytes(Math.max(drawnAtOnce, count)));
    const taken = drawn.slice(0, count);
    drawn.fill(0, 0, count);
    drawn = drawn.subarray(count);
    return taken;
  };
}
