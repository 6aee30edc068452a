import type { AttributionAnswer, AttributorRequest, FailureDetails } from '../contract/dialect/index.ts';
import { readWorkloadId } from '../contract/dialect/index.ts';
import { type AttributionRequest, schemaVersion } from '../contract/index.ts';
import type { AttributorRecord, AttributorRecords } from '../core/attributor.ts';
import type { SourceCoverage } from '../core/coverage.ts';
import type { Problem } from '../core/outcome.ts';
import type { Clock, Log, Provider, SessionStore } from '../core/ports.ts';
import { bindingOf, createAbsorption, type Intake } from './absorption.ts';
import type { AttributionAdapter, Call } from './attribute.ts';
import { graver } from './problem.ts';
import { contentId, packPushed } from './pushed-bytes.ts';

export interface AttributorSettings {
  /** How long a read may take, what is unread included. */
  readonly timeoutMs: number;
  /** The most bytes of one observation. */
  readonly mostBytes: number;
}

export interface AttributorParts {
  readonly adapter: AttributionAdapter;
  readonly provider: Provider;
  readonly sessions: SessionStore;
  readonly records: AttributorRecords;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: AttributorSettings;
  readonly randomId: () => string;
}

/**
 * Attributors: failed attempts that logs are pushed about. An acknowledged observation is on the disk and visible to
 * every later read; the same bytes count once; a read may be repeated, and grows richer as more arrives.
 */
export interface Attributors {
  /** Resolves to the id of a new attributor, saved. To other callers it is unknown. */
  create(request: AttributorRequest, details: FailureDetails | null, caller: string | null): Promise<string>;
  /** Resolves to the id of the observation once it is saved; null where the attributor is unknown. */
  observe(id: string, bytes: Uint8Array, caller: string | null): Promise<string | null>;
  /** What is known by now; null where the attributor is unknown. */
  attribution(id: string, call: Call): Promise<AttributionAnswer | null>;
  /** Resolves once what was pushed is no longer being taken in; ask before closing the stores. */
  settled(): Promise<void>;
}

const mostRemembered = 1_000;

export function createAttributors(parts: AttributorParts): Attributors {
  const { adapter, sessions, records, clock, settings } = parts;
  const absorption = createAbsorption(parts);
  const known = new Map<string, AttributorRecord>();

  async function recordOf(id: string, caller: string | null): Promise<AttributorRecord | null> {
    const record = known.get(id) ?? (await records.get(id));
    if (record === null || record.caller !== caller) return null;
    remember(record);
    return record;
  }

  function remember(record: AttributorRecord): void {
    known.delete(record.id);
    known.set(record.id, record);
    const [oldest] = known.keys();
    if (known.size > mostRemembered && oldest !== undefined) known.delete(oldest);
  }

  return {
    async create(attributor, details, caller) {
      const id = parts.randomId();
      const now = clock.now();
      const request = requestOf(attributor, details, now, settings.timeoutMs);
      const record = { id, caller, request };
      await sessions.open({
        id,
        version: 0,
        binding: bindingOf(record),
        createdAt: now,
        moment: request.failureContext.detectedAt,
        windows: [],
        symptoms: [],
        coverage: [],
        corpusHash: null,
        answers: [],
      });
      await records.save(record);
      remember(record);
      return id;
    },
    async observe(id, bytes, caller) {
      const record = await recordOf(id, caller);
      if (record === null) return null;
      const packed = await packPushed(bytes);
      const appended = await sessions.append(id, packed);
      if (appended === 'unknown') {
        known.delete(id);
        return null;
      }
      if (appended === 'appended') absorption.begin(record, bytes.length);
      await absorption.room(record);
      return contentId(packed);
    },
    async attribution(id, call) {
      const record = await recordOf(id, call.caller);
      if (record === null) return null;
      const startedMs = clock.elapsedMs();
      const intake = await absorption.finish(record, settings.timeoutMs / 2);
      const before = await sessions.get(id, bindingOf(record));
      if (before === null) {
        known.delete(id);
        return null;
      }
      const left = Math.max(1, Math.round(settings.timeoutMs - (clock.elapsedMs() - startedMs)));
      const request = { ...record.request, continueSession: id, timeoutMs: left };
      const response = await adapter.attribute(request, { ...call, isFresh: true });
      const { coverage } = (await sessions.get(id, bindingOf(record))) ?? before;
      return {
        attributorId: id,
        findings: response.attributions,
        unattributed: response.unattributedTargets,
        coverage: [...coverage, ...absorption.notes(record, intake)] satisfies readonly SourceCoverage[],
        error: graver(notWhole[intake], response.error),
      };
    },
    settled: () => absorption.settled(),
  };
}

const notWhole: Readonly<Record<Intake, Problem | null>> = {
  whole: null,
  late: { type: 'timeout', message: 'some of what was pushed is still being read: ask again' },
  failed: { type: 'service_error', message: 'some of what was pushed could not be taken in: ask again' },
};

/** A client of the dialect knows one job and its cycles; another adapter also tells what it was asked. */
function requestOf(
  { id, nodes, jobStart, jobEnd }: AttributorRequest,
  details: FailureDetails | null,
  now: bigint,
  timeoutMs: number,
): AttributionRequest {
  const { jobId, cycle } = readWorkloadId(id);
  const workloadId = jobId === '' ? 'unknown' : jobId;
  return {
    schemaVersion,
    workloadId,
    scope: {
      nodes,
      ranks: [],
      startTime: details === null ? jobStart : details.startTime,
      endTime: details?.endTime ?? null,
    },
    failureContext: {
      detectedAt: details?.detectedAt ?? jobEnd ?? now,
      detectionSignal: details?.detectionSignal ?? 'error',
    },
    timeoutMs,
    workloadContext: {
      workflowId: details?.workflowId ?? workloadId.slice(0, 256),
      attemptIndex: cycle,
      jobEndTime: details === null ? jobEnd : details.jobEndTime,
    },
    phase: 'fast',
    continueSession: null,
    userId: '',
  };
}
