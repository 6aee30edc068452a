import { readFile, stat } from 'node:fs/promises';

/** A small file that someone else may replace at any time, such as a token that is rotated. */
export interface WatchedFile {
  /** Its bytes, read again whenever the file has changed. Rejects where it cannot be read. */
  read(): Promise<Buffer>;
}

export function watchedFile(path: string): WatchedFile {
  let known: { readonly mark: string; readonly content: Buffer } | null = null;
  return {
    async read() {
      const { mtimeMs, size, ino } = await stat(path);
      const mark = `${mtimeMs} ${size} ${ino}`;
      if (known?.mark !== mark) known = { mark, content: await readFile(path) };
      return known.content;
    },
  };
}
