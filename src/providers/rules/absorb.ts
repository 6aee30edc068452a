import { type Observation, type ObservedStream, readObservation } from '../../contract/dialect/index.ts';
import type { AttributionRequest } from '../../contract/index.ts';
import type { BatchHeader, Origin } from '../../core/batch.ts';
import type { Log } from '../../core/ports.ts';
import { type PushedObservation, pushedPath } from '../../core/pushed.ts';
import type { Session, SessionPart } from '../../core/session.ts';
import { minute, type Nanos } from '../../core/time.ts';
import type { RecognitionPool } from '../../engine/recognition.ts';
import type { BufferPool } from '../../evidence/buffers.ts';
import { streamBatches } from '../../evidence/log-store/stream-lines.ts';
import { mergeSymptoms } from './merge-symptoms.ts';
import { type PushedTally, pushedCoverage, pushedSource, pushedTally } from './pushed-coverage.ts';

/** How far pushed logs are believed. */
export interface PushedSettings {
  /** `kernel`: logs that say nothing else are kernel logs; `job`: everything pushed is job text and names nobody alone. */
  readonly trust: 'kernel' | 'job';
  /** Whether senders leave lines out, as the public client does: then silence about a fault proves nothing. */
  readonly filtered: boolean;
}

export interface AbsorbParts {
  readonly pool: RecognitionPool;
  readonly buffers: BufferPool;
  readonly settings: PushedSettings;
  readonly log: Log;
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
      const observation = parseObservation(bytes);
      if (observation === null) {
        tally.skipped += 1;
        continue;
      }
      tally.skipped += observation.skipped;
      const path = pushedPath(session.id, id);
      let linesBefore = 0;
      for (const stream of observation.streams) {
        const header = headerOf(stream, observation, parts.settings);
        count(tally, stream, header, observation, parts.settings);
        const gathered = {
          stream: nameOf(stream),
          node: header.node,
          stamps: [...stream.stamps],
          lines: [...stream.lines],
        };
        for await (const batch of streamBatches(gathered, header, parts.buffers)) {
          const { entries } = batch.header;
          const kept = { path, linesBefore };
          const placed =
            entries === undefined
              ? {}
              : { entries: { ...entries, kept, ...approximationOf(stream, observation) } };
          await recognition.submit({ ...batch, header: { ...batch.header, ...placed } });
        }
        linesBefore += stream.lines.length;
      }
    }
    const symptoms = mergeSymptoms(session.symptoms, await recognition.symptoms());
    const coverage = pushedCoverage(session.coverage, tally, request.scope.nodes);
    return { windows: session.windows, symptoms, coverage, corpusHash: parts.pool.corpusHash };
  } finally {
    recognition.end();
  }
}

const decoder = new TextDecoder();

function parseObservation(bytes: Uint8Array): Observation | null {
  try {
    const read = readObservation(JSON.parse(decoder.decode(bytes)));
    return read.ok ? read.observation : null;
  } catch {
    return null;
  }
}

/** Labels can only lower trust: a log of another program than the kernel is the job's word. */
function originOf({ labels }: ObservedStream, { trust }: PushedSettings): Origin {
  const app = labels['app'];
  const isKernel = app === undefined || app === 'dmesg' || app === 'kernel';
  return trust === 'kernel' && isKernel ? 'kernel' : 'job';
}

function headerOf(
  stream: ObservedStream,
  { to }: Observation,
  settings: PushedSettings,
): Omit<BatchHeader, 'sequence' | 'firstLine' | 'stream' | 'entries'> {
  const origin = originOf(stream, settings);
  const near = to ?? stream.stamps.at(-1) ?? null;
  const hostname = stream.labels['hostname'] ?? '';
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
function nameOf({ labels, stamps, lines }: ObservedStream): string {
  const { hostname = '', app = '', filename = '' } = labels;
  return `pushed hostname=${hostname} app=${app} ${filename} from=${stamps[0] ?? 0n} lines=${lines.length}`;
}

/** Logs are collected over twelve minutes where nobody says over how many. */
const usualInterval = 12n * minute;

/** How far stamps may be from the truth where they only number the lines, as the public client's do. */
function approximationOf(
  { labels, stamps }: ObservedStream,
  { from, to }: Observation,
): { readonly approximate?: Nanos } {
  const numbered =
    stamps.length > 1 && stamps.every((stamp, at) => at === 0 || stamp - (stamps[at - 1] ?? 0n) <= 1n);
  if (labels['stamps'] !== 'synthetic' && labels['job'] !== 'nvrx' && !numbered) return {};
  return { approximate: from !== null && to !== null && to > from ? to - from : usualInterval };
}

function count(
  tally: PushedTally,
  { labels, lines }: ObservedStream,
  { origin }: Pick<BatchHeader, 'origin'>,
  { from, to }: Observation,
  { filtered }: PushedSettings,
): void {
  const known = tally.of(origin);
  known.streams += 1;
  known.lines += lines.length;
  for (const line of lines) known.bytes += line.length + 1;
  const isWhole = !filtered || labels['filter'] === 'none';
  (isWhole ? known.whole : known.filtered).add(labels['hostname'] ?? '');
  if (from !== null && (known.from === null || from < known.from)) known.from = from;
  if (to !== null && (known.to === null || to > known.to)) known.to = to;
}
