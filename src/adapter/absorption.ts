import type { AttributorRecord, AttributorRecords } from '../core/attributor.ts';
import type { SourceCoverage } from '../core/coverage.ts';
import type { Clock, Log, Provider, SessionStore } from '../core/ports.ts';
import { citedObservations, pushedSource } from '../core/pushed.ts';
import type { SessionBinding } from '../core/session.ts';
import type { Symptom } from '../core/symptom.ts';
import { createBacklog } from './backlog.ts';
import { reasonOf } from './join-session.ts';
import { contentId, pushedLength, unpackPushed } from './pushed-bytes.ts';

export interface AbsorptionParts {
  readonly provider: Provider;
  readonly sessions: SessionStore;
  readonly records: Pick<AttributorRecords, 'keep'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: { readonly mostBytes: number };
}

/** Whether a read has all that was acknowledged before it: `late` and `failed` have to be told. */
export type Intake = 'whole' | 'late' | 'failed';

/** Takes in what was pushed to attributors, one round after the other for each, beside whatever else goes on. */
export interface Absorption {
  /** Takes in what is unread, soon; `bytes` more have come. */
  begin(record: AttributorRecord, bytes: number): void;
  /** Resolves once what is unread could be taken in quickly: who pushes waits, not who reads. */
  room(record: AttributorRecord): Promise<void>;
  /** Resolves once everything that was acknowledged before is taken in or cannot be, or after `atMostMs`. */
  finish(record: AttributorRecord, atMostMs: number): Promise<Intake>;
  /** What coverage must say of pushes that are not looked at, or not all of them. */
  notes(record: AttributorRecord, intake: Intake): readonly SourceCoverage[];
  settled(): Promise<void>;
}

/** Pieces a round: what is read of the store at once. */
const roundPieces = 4_096;
/** What a read has yet to take in is bounded by this: a fraction of a second of work. */
const mostUnreadBytes = 32 * 1024 * 1024;
/** A surge is taken in by rounds that are worth their price, not piece by piece. */
const gatherMs = 500;
/** A failure of thousands of nodes cites more than anybody opens; of those the strongest. */
const mostCited = 256;
/** Answers may change the session meanwhile; each time is progress of theirs. */
const attempts = 16;

export function createAbsorption(parts: AbsorptionParts): Absorption {
  const { provider, sessions, clock, log } = parts;
  const lanes = new Map<string, Promise<unknown>>();
  const planned = new Set<string>();
  const backlog = createBacklog(clock, mostUnreadBytes);

  /** One at a time for an attributor; work in a lane never rejects. */
  function inLane<T>(id: string, work: () => Promise<T>): Promise<T> {
    const next = (lanes.get(id) ?? Promise.resolve()).then(work);
    lanes.set(id, next);
    void next.then(() => {
      if (lanes.get(id) === next) lanes.delete(id);
    });
    return next;
  }

  async function drain(record: AttributorRecord): Promise<'whole' | 'failed'> {
    try {
      while (await round(record));
      return 'whole';
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, 'pushed logs cannot be taken in now: the next read tries again');
      return 'failed';
    } finally {
      backlog.release(record.id);
    }
  }

  /** False where nothing is left. */
  async function round(record: AttributorRecord): Promise<boolean> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      // The session first: what another absorbed since then is a conflict below, and not counted twice.
      const session = await sessions.get(record.id, bindingOf(record));
      const { chunks, mark } = await sessions.unread(record.id, roundPieces);
      if (session === null || chunks.length === 0) return false;
      const part = await provider.absorb?.(
        record.request,
        session,
        unpackPushed(chunks, parts.settings.mostBytes),
      );
      if (part !== undefined) await keepCited(record, part.symptoms, chunks);
      const updated = await sessions.update({ ...session, ...part }, mark);
      if (updated === 'conflict') continue;
      const bytes = chunks.reduce((sum, packed) => sum + pushedLength(packed), 0);
      backlog.taken(record.id, bytes);
      return updated === 'updated';
    }
    throw new Error('the session changed each time');
  }

  /** What evidence may cite stays, so that its lines can be opened again. */
  async function keepCited(
    { id }: AttributorRecord,
    symptoms: readonly Symptom[],
    chunks: readonly Uint8Array[],
  ): Promise<void> {
    const cited = citedObservations(symptoms).filter(({ session }) => session === id);
    const wanted = new Set(cited.slice(0, mostCited).map(({ observation }) => observation));
    const pieces = wanted.size === 0 ? [] : chunks.map(bytes => ({ id: contentId(bytes), bytes }));
    await parts.records.keep(
      id,
      pieces.filter(piece => wanted.has(piece.id)),
    );
  }

  return {
    begin(record, bytes) {
      backlog.add(record.id, bytes);
      if (planned.has(record.id)) return;
      planned.add(record.id);
      clock.after(gatherMs, () => {
        planned.delete(record.id);
        void inLane(record.id, () => drain(record));
      });
    },
    room: ({ id }) => backlog.room(id),
    async finish(record, atMostMs) {
      const late = Promise.withResolvers<Intake>();
      const cancel = clock.after(atMostMs, () => late.resolve('late'));
      try {
        return await Promise.race([inLane(record.id, () => drain(record)), late.promise]);
      } finally {
        cancel();
      }
    },
    notes({ request }, intake) {
      const says =
        provider.absorb === undefined
          ? ({
              status: 'not_configured',
              reason: `the provider (${provider.kind}) does not look at what is pushed`,
            } as const)
          : notWhole[intake];
      if (says === null) return [];
      const group = { ...says, nodes: '', count: request.scope.nodes.length };
      return [{ ...notLookedAt, groups: [group] }];
    },
    async settled() {
      while (lanes.size > 0) await Promise.all(lanes.values());
    },
  };
}

const notWhole = {
  whole: null,
  late: { status: 'timed_out', reason: 'some of what was pushed is still being read' },
  failed: { status: 'failed', reason: 'some of what was pushed could not be taken in' },
} as const;

const notLookedAt: SourceCoverage = {
  source: pushedSource,
  origin: 'kernel',
  window: null,
  query: null,
  filter: null,
  streams: 0,
  lines: 0,
  bytes: 0,
  groups: [],
  notYet: null,
  remarks: [],
};

export function bindingOf({ request, caller }: AttributorRecord): SessionBinding {
  const { workflowId, attemptIndex } = request.workloadContext;
  return { workloadId: request.workloadId, workflowId, attemptIndex, caller };
}
