import type { Dating, StateRow } from '../../core/batch.ts';
import type { Clock, CollectPlan, Log } from '../../core/ports.ts';
import type { Nanos } from '../../core/time.ts';
import type { NodeDirectory } from '../../lines/node-names.ts';
import type { BufferPool } from '../buffers.ts';
import { askedWindow } from '../coverage.ts';
import type { Classifier } from './classify.ts';
import type { FilesSettings } from './settings.ts';
import { streamDating } from './stream-dating.ts';
import type { EvidenceFile } from './survey.ts';
import type { Tally } from './tally.ts';

/** What the source is handed from outside. */
export interface FilesTools {
  readonly clock: Clock;
  readonly log: Log;
  readonly buffers: BufferPool;
}

/** One reading of the files of one plan: what every step of it shares. */
export interface Reading {
  readonly settings: FilesSettings;
  readonly tools: FilesTools;
  readonly classify: Classifier;
  readonly plan: CollectPlan;
  readonly signal: AbortSignal;
  readonly directory: NodeDirectory;
  readonly tally: Tally;
  /** What the scheduler's tables told so far: they are read first. */
  readonly scheduler: SchedulerFacts;
}

export interface SchedulerFacts {
  readonly rows: StateRow[];
  boots: ReadonlyMap<string, Nanos>;
  jobStart: Nanos | null;
  jobEnd: Nanos | null;
  /** Last stamp of the job's own text, where the scheduler tells no end and everything is read. */
  jobLastStamp: Nanos | null;
}

export function datingOf(file: EvidenceFile, node: string | null, reading: Reading): Dating {
  const { settings, plan, directory, scheduler } = reading;
  const origin = file.place === 'loose' ? 'job' : file.place;
  return streamDating({
    timezone: settings.timezone,
    window: askedWindow(plan, origin),
    modified: file.found.modified,
    jobEnd: scheduler.jobEnd,
    bootNanos: node === null ? null : bootOf(node, directory, scheduler.boots),
  });
}

/** The scheduler may spell a node otherwise than its file or the job does. */
function bootOf(node: string, directory: NodeDirectory, boots: ReadonlyMap<string, Nanos>): Nanos | null {
  const exact = boots.get(node);
  if (exact !== undefined) return exact;
  for (const [name, nanos] of boots) {
    const match = directory.resolve(name);
    if (match.kind === 'one' && match.node === node) return nanos;
  }
  return null;
}
