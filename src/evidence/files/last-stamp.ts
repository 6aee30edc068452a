import type { Nanos } from '../../core/time.ts';
import { job } from '../../lines/formats/job.ts';
import { packingOf } from './expanding-reader.ts';
import { openFound } from './inside-root.ts';
import type { FilesSettings } from './settings.ts';
import { lineDating, streamDating } from './stream-dating.ts';
import type { EvidenceFile } from './survey.ts';

const tailBytes = 64 * 1024;
/** The files changed last hold the last stamps. */
const mostFiles = 32;

/** The latest stamp near the ends of the job's plain files: about when the job ended, where nothing better tells. */
export async function lastStamp(
  files: readonly EvidenceFile[],
  settings: FilesSettings,
  signal: AbortSignal,
): Promise<Nanos | null> {
  const ofJob = files
    .filter(file => file.place === 'job' || file.place === 'loose')
    .sort((a, b) => (a.found.modified < b.found.modified ? 1 : -1));
  let latest: Nanos | null = null;
  for (const file of ofJob.slice(0, mostFiles)) {
    if (signal.aborted) break;
    for (const nanos of await stampsAtEnd(file, settings)) {
      if (latest === null || nanos > latest) latest = nanos;
    }
  }
  return latest;
}

async function stampsAtEnd(file: EvidenceFile, settings: FilesSettings): Promise<readonly Nanos[]> {
  const handle = await openFound(file.found);
  if ('kind' in handle) return [];
  try {
    const tail = Buffer.alloc(Math.min(tailBytes, file.found.bytes));
    const { bytesRead } = await handle.read(tail, 0, tail.length, file.found.bytes - tail.length);
    const text = tail.subarray(0, bytesRead);
    if (packingOf(text) !== 'plain') return [];
    const { modified } = file.found;
    const dating = streamDating({
      timezone: settings.timezone,
      window: null,
      modified,
      jobEnd: null,
      bootNanos: null,
    });
    const lines = text
      .toString('utf8')
      .split('\n')
      .slice(file.found.bytes > tailBytes ? 1 : 0);
    return lines.flatMap(
      line => job.parse(line.slice(0, 1024), lineDating(dating, file.path))?.instant?.nanos ?? [],
    );
  } catch {
    return [];
  } finally {
    await handle.close().catch(() => {});
  }
}
