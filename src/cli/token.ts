import { createHash, randomBytes } from 'node:crypto';
import { stringify } from 'yaml';

/** Prints a new token once, and what goes into the configuration instead of it. */
export function makeToken(name: string): number {
  const token = randomBytes(32).toString('base64url');
  const sha256 = createHash('sha256').update(token).digest('hex');
  const settings = stringify({ callers: { tokens: [{ name, sha256: [sha256] }] } });
  process.stdout.write(
    `token for ${name}, shown only now: send it as "authorization: Bearer ${token}"\n\n` +
      `for the configuration, which never holds the token itself:\n\n${settings}`,
  );
  return 0;
}
