import type { AttributionRequest } from '../../contract/index.ts';
import type { BatchHeader } from '../../core/batch.ts';
import type { Log, Source } from '../../core/ports.ts';
import { type PushedObservation, pushedPath, pushedSource } from '../../core/pushed.ts';
import type { Session, SessionPart } from '../../core/session.ts';
import type { Symptom } from '../../core/symptom.ts';
import { minute, type Nanos } from '../../core/time.ts';
import { limitSymptoms } from '../../engine/fold/limit.ts';
import type { RecognitionPool } from '../../engine/recognition.ts';
import type { BufferPool } from '../../evidence/buffers.ts';
import { textBatches } from '../../evidence/log-store/stream-lines.ts';
import { nodeDirectory } from '../../lines/node-names.ts';
import { mergeSymptoms } from './merge-symptoms.ts';
import type { ObservationOpener } from './observation-opener.ts';
import type { OpenedObservation, OpenedStream, Trust } from './open-observation.ts';
import { type PushedTally, pushedCoverage, pushedTally } from './pushed-coverage.ts';

/** How far pushed logs are believed. */
export interface PushedSettings {
  /** `kernel`: logs that say nothing else are kernel logs; `job`: everything pushed is job text and names nobody alone. */
  readonly trust: Trust;
  /** Whether senders leave lines out, as the public client does: then silence about a fault proves nothing. */
  readonly filtered: boolean;
}

export interface AbsorbParts {
  readonly pool: RecognitionPool;
  readonly buffers: BufferPool;
  readonly opener: Pick<ObservationOpener, 'open'>;
  readonly settings: PushedSettings;
  readonly log: Log;
  /** Any of them may know other names of the job's nodes. */
  readonly sources: readonly Source[];
}

/**
 * Recognises what was pushed to a session and adds it to what the session holds. The same observation again changes
 * nothing but the counts of coverage. What cannot be read is counted, never an error.
 */
export async function absorbPushed(
  parts: AbsorbParts,
  request: AttributionRequest,
  session: Session,
  pushed: AsyncIterable<PushedObservation>,
): Promise<SessionPart> {
  const tally = pushedTally();
  const recognition = parts.pool.open();
  try {
    for await (const { id, bytes } of pushed) {
      const observation = await parts.opener.open(bytes, parts.settings.trust);
      if (observation === null) {
        tally.skipped += 1;
        continue;
      }
      tally.skipped += observation.skipped;
      const path = pushedPath(session.id, id);
      for (const stream of observation.streams) {
        const header = headerOf(stream, observation);
        count(tally, stream, observation, parts.settings);
        const { lines, bytes: place } = stream;
        const dated = {
          stream: nameOf(stream, observation),
          stamps: observation.stamps.subarray(lines.from, lines.to),
          text: observation.text.subarray(place.from, place.to),
        };
        for await (const batch of textBatches(dated, header, parts.buffers)) {
          const { entries } = batch.header;
          const kept = { path, linesBefore: lines.from };
          const placed =
            entries === undefined
              ? {}
              : { entries: { ...entries, kept, ...approximationOf(stream, observation) } };
          await recognition.submit({ ...batch, header: { ...batch.header, ...placed } });
        }
      }
    }
    const seen = await recognition.symptoms();
    const ofJob = parts.sources.length > 0 ? seen : withoutStrangers(seen, request.scope.nodes);
    tally.outside += seen.length - ofJob.length;
    const symptoms = limitSymptoms(mergeSymptoms(session.symptoms, ofJob));
    const coverage = pushedCoverage(session.coverage, tally, request.scope.nodes);
    return { windows: session.windows, symptoms, coverage, corpusHash: parts.pool.corpusHash };
  } finally {
    recognition.end();
  }
}

/** What hosts show that are none of the job's is context at the most, and would take the place of what is not. */
function withoutStrangers(symptoms: readonly Symptom[], nodes: readonly string[]): readonly Symptom[] {
  if (nodes.length === 0) return symptoms;
  const directory = nodeDirectory(nodes.map(name => ({ name, aliases: [] })));
  return symptoms.filter(({ node }) => node === null || directory.resolve(node).kind !== 'none');
}

function headerOf(
  { labels, lines, origin }: OpenedStream,
  { to, stamps }: OpenedObservation,
): Omit<BatchHeader, 'sequence' | 'firstLine' | 'stream' | 'entries'> {
  const near = to ?? stamps[lines.to - 1] ?? null;
  const hostname = labels['hostname'] ?? '';
  return {
    source: pushedSource,
    origin,
    format: origin === 'job' ? 'job' : 'auto',
    node: hostname === '' || origin === 'job' ? null : hostname,
    dating: {
      zone: 'UTC',
      zoneAssumed: true,
      year: near === null ? null : new Date(Number(near / 1_000_000n)).getUTCFullYear(),
      bootNanos: null,
      near,
    },
  };
}

/** The same for the same stream, so that pushing it again adds nothing. */
function nameOf({ labels, lines }: OpenedStream, { stamps }: OpenedObservation): string {
  const { hostname = '', app = '', filename = '' } = labels;
  const first = stamps[lines.from] ?? 0n;
  return `pushed hostname=${hostname} app=${app} ${filename} from=${first} lines=${lines.to - lines.from}`;
}

/** Logs are collected over twelve minutes where nobody says over how many. */
const usualInterval = 12n * minute;

/** How far stamps may be from the truth where they only number the lines, as the public client's do. */
function approximationOf(
  { labels, isNumbered }: OpenedStream,
  { from, to }: OpenedObservation,
): { readonly approximate?: Nanos } {
  if (labels['stamps'] !== 'synthetic' && labels['job'] !== 'nvrx' && !isNumbered) return {};
  return { approximate: from !== null && to !== null && to > from ? to - from : usualInterval };
}

function count(
  tally: PushedTally,
  { labels, lines, bytes, origin }: OpenedStream,
  { from, to }: OpenedObservation,
  { filtered }: PushedSettings,
): void {
  const known = tally.of(origin);
  known.streams += 1;
  known.lines += lines.to - lines.from;
  known.bytes += bytes.to - bytes.from;
  const isWhole = !filtered || labels['filter'] === 'none';
  (isWhole ? known.whole : known.filtered).add(labels['hostname'] ?? '');
  if (from !== null && (known.from === null || from < known.from)) known.from = from;
  if (to !== null && (known.to === null || to > known.to)) known.to = to;
}
