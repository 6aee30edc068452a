import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { Session } from '../core/session.ts';
import { defaultSessionLimits, type SessionLimits } from './session-limits.ts';
import { fromText, toText } from './session-text.ts';
import { trims } from './trim-session.ts';

export interface SessionBytes {
  readonly bytes: Uint8Array;
  /** What was given up to fit, in order; empty for almost every session. */
  readonly trimmed: readonly string[];
}

const compress = promisify<Uint8Array, Buffer>(deflate);
const expand = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflate);

/** What `fit` asks of the limits. */
type SizeLimits = Pick<SessionLimits, 'compressedBytes' | 'textLength' | 'answers'>;

/** The session as it is stored, trimmed as far as needed. Throws RangeError where not even its ids fit. */
export async function sessionToBytes(
  session: Session,
  limits: SizeLimits = defaultSessionLimits,
): Promise<SessionBytes> {
  const trimmed: string[] = [];
  let current = session;
  if (session.answers.length > limits.answers) {
    current = { ...session, answers: session.answers.slice(-limits.answers) };
    trimmed.push(`answers before the last ${limits.answers}`);
  }
  for (const trim of [null, ...trims(current)]) {
    if (trim !== null) {
      current = trim.apply(current);
      trimmed.push(trim.says);
    }
    const bytes = await fit(current, limits);
    if (bytes !== null) return { bytes, trimmed };
  }
  throw new RangeError('a session of this workload does not fit its size limit, even when empty');
}

/** The session that `bytes` were made of; throws where they are damaged. */
export async function bytesToSession(bytes: Uint8Array): Promise<Session> {
  const text = await expand(bytes, { maxOutputLength: 4 * defaultSessionLimits.textLength });
  return fromText(text.toString('utf8')) as Session;
}

async function fit(session: Session, limits: SizeLimits): Promise<Uint8Array | null> {
  if (!isShorterThan(session, limits.textLength)) return null;
  const bytes = await compress(Buffer.from(toText(session), 'utf8'));
  return bytes.length <= limits.compressedBytes ? bytes : null;
}

/** Whether the value's JSON stays under about `limit` characters, found out without building it. */
export function isShorterThan(value: unknown, limit: number): boolean {
  let left = limit;
  const walk = (member: unknown): void => {
    if (left < 0) return;
    left -= 2;
    if (typeof member === 'string') left -= member.length;
    else if (Array.isArray(member)) member.forEach(walk);
    else if (typeof member === 'object' && member !== null) {
      for (const [key, inner] of Object.entries(member)) {
        left -= key.length + 4;
        walk(inner);
      }
    } else left -= 8;
  };
  walk(value);
  return left >= 0;
}
