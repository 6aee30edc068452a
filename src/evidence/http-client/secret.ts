import { failure, type HttpFailure } from './failure.ts';
import { type WatchedFile, watchedFile } from './watched-file.ts';

/** A secret of the configuration: written there, or in a file that is read again when it changes. */
export type Secret =
  | { readonly kind: 'inline'; readonly value: string }
  | { readonly kind: 'file'; readonly path: string };

export type Revealed =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly failure: HttpFailure };

/** Reads a secret each time it is needed. */
export type Reveal = () => Promise<Revealed>;

export function secretReader(secret: Secret): Reveal {
  if (secret.kind === 'inline') return () => Promise.resolve({ ok: true, value: secret.value });
  const file = watchedFile(secret.path);
  return async () => {
    const read = await readWatched(file, secret.path);
    if (!read.ok) return read;
    const value = read.content.toString('utf8').trim();
    // What is no header value would be refused by the client with a message that quotes it.
    if (value !== '' && /^[\x20-\x7e]+$/.test(value)) return { ok: true, value };
    return {
      ok: false,
      failure: failure(
        'credentials',
        `was not asked: ${secret.path} holds no secret: write it there, on one line`,
      ),
    };
  };
}

export async function readWatched(
  file: WatchedFile,
  path: string,
): Promise<
  { readonly ok: true; readonly content: Buffer } | { readonly ok: false; readonly failure: HttpFailure }
> {
  try {
    return { ok: true, content: await file.read() };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unreadable';
    return {
      ok: false,
      failure: failure(
        'credentials',
        `was not asked: ${path} cannot be read (${code}): ${remedies[code] ?? 'see that it can be read'}`,
      ),
    };
  }
}

const remedies: Readonly<Record<string, string>> = {
  ENOENT: 'create it, or correct its name',
  ENOTDIR: 'create it, or correct its name',
  EACCES: 'give this user the right to read it',
  EISDIR: 'it is a folder: name the file in it',
};
