type RandomBytes = (count: number) => Uint8Array;

/** 128 random bits: guessing the id of another caller's session is hopeless. */
const idBytes = 16;

/** Ids of sessions and requests: 22 url-safe characters each, from the randomness handed in. */
export function randomIds(randomBytes: RandomBytes): () => string {
  return () => Buffer.from(randomBytes(idBytes)).toString('base64url');
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
