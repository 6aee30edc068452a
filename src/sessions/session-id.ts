/** 128 random bits: guessing the id of another caller's session is hopeless. */
const idBytes = 16;

/** Ids of sessions and requests: 22 url-safe characters each, from the randomness handed in. */
export function randomIds(randomBytes: (count: number) => Uint8Array): () => string {
  return () => Buffer.from(randomBytes(idBytes)).toString('base64url');
}
