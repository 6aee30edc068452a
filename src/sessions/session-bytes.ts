import type { Session } from '../core/session.ts';
import { isPackedText, type PackedText, packElsewhere, unpackText } from '../storage/packed-text.ts';
import { defaultSessionLimits, type SessionLimits } from './session-limits.ts';
import { fromText, toText } from './session-text.ts';
import { trims } from './trim-session.ts';

interface Trimmed {
  /** What was given up to fit, in order; empty for almost every session. */
  readonly trimmed: readonly string[];
}

export interface SessionBytes extends Trimmed {
  readonly bytes: Uint8Array;
}

/** A session as a database takes it: a short one is left to the database to pack. */
export interface SessionBody extends Trimmed {
  readonly body: Uint8Array | PackedText;
}

/** Packing a longer text would keep the writer of a database from writing. */
const shortLength = 64 * 1024;
/** Packing makes no text longer by more. */
const packingBytes = 1024;

/** What `fit` asks of the limits. */
type SizeLimits = Pick<SessionLimits, 'compressedBytes' | 'textLength' | 'answers'>;

/** The session packed, trimmed as far as needed. Throws RangeError where not even its ids fit. */
export async function sessionToBytes(
  session: Session,
  limits: SizeLimits = defaultSessionLimits,
): Promise<SessionBytes> {
  const { body, trimmed } = await sessionToBody(session, limits);
  return { bytes: isPackedText(body) ? await packElsewhere(body) : body, trimmed };
}

/** The session as a database takes it, trimmed as far as needed. Throws RangeError where not even its ids fit. */
export async function sessionToBody(session: Session, limits: SizeLimits): Promise<SessionBody> {
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
    const body = await fit(current, limits);
    if (body !== null) return { body, trimmed };
  }
  throw new RangeError('a session of this workload does not fit its size limit, even when empty');
}

/** The session that `bytes` were made of; throws where they are damaged. */
export async function bytesToSession(bytes: Uint8Array): Promise<Session> {
  return fromText(await unpackText(bytes, 4 * defaultSessionLimits.textLength)) as Session;
}

async function fit(session: Session, limits: SizeLimits): Promise<SessionBody['body'] | null> {
  if (!isShorterThan(session, limits.textLength)) return null;
  const packed = toText(session);
  if (packed.length < shortLength && Buffer.byteLength(packed) + packingBytes <= limits.compressedBytes)
    return { packed };
  const bytes = await packElsewhere({ packed });
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
      const members = member as Readonly<Record<string, unknown>>;
      for (const key of Object.keys(members)) {
        left -= key.length + 4;
        walk(members[key]);
      }
    } else left -= 8;
  };
  walk(value);
  return left >= 0;
}
