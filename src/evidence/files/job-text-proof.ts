import { job } from '../../lines/formats/job.ts';
import { readFully } from './byte-reader.ts';
import { openText } from './open-text.ts';
import type { FilesSettings } from './settings.ts';
import type { EvidenceFile } from './survey.ts';

/** Every line of a loose file is looked at before it counts as more than job text; a larger one stays job text. */
const provableBytes = 256 * 1024 * 1024;
const blockBytes = 1024 * 1024;
const mostRemembered = 1000;

/** Why a file may not count as more than job text, or null where no line of it is. */
export type JobTextProof = (file: EvidenceFile, signal: AbortSignal) => Promise<string | null>;

/** Looks at every line once: what was proved of a file is remembered until the file changes. */
export function createJobTextProof(settings: FilesSettings): JobTextProof {
  const known = new Map<string, string | null>();
  return async (file, signal) => {
    const { identity, bytes, modified } = file.found;
    const key = `${identity} ${bytes} ${modified}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const doubt = await jobTextIn(file, settings, signal);
    if (!signal.aborted && known.size < mostRemembered) known.set(key, doubt);
    return doubt;
  };
}

async function jobTextIn(
  file: EvidenceFile,
  settings: FilesSettings,
  signal: AbortSignal,
): Promise<string | null> {
  const text = await openText(file.found, settings, signal);
  if (text.kind !== 'text') return 'it could not be read twice';
  try {
    let read = 0;
    let line = 1;
    let rest: Buffer = Buffer.alloc(0);
    for (;;) {
      const block = Buffer.alloc(blockBytes);
      const count = await readFully(text.reader, block);
      read += count;
      if (read > provableBytes)
        return `it is too long to prove that none of it is job text: lay it out as kernel/<node>.log`;
      const known = Buffer.concat([rest, block.subarray(0, count)]);
      const last = count < blockBytes;
      const complete = last ? known.length : known.lastIndexOf(10) + 1;
      const lines = known.toString('utf8', 0, complete).split('\n');
      const found = lines.findIndex(candidate => job.fits(candidate));
      if (found >= 0) return `line ${line + found} of it is job text`;
      if (last) return text.reader.cutShort() === null ? null : 'it could not be read to its end';
      line += lines.length - 1;
      // A line longer than a block is looked at in parts: only its beginning could be a label.
      rest = known.subarray(complete);
    }
  } finally {
    await text.reader.close();
  }
}
