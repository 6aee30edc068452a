import {
  type AdapterSettings,
  type AttributionAdapter,
  type Call,
  createAttributionAdapter,
  defaultAdapterSettings,
} from '../../src/adapter/attribute.ts';
import type { AttributionRequest } from '../../src/contract/index.ts';
import type { AuditStore } from '../../src/core/audit.ts';
import type { Finding, Outcome } from '../../src/core/outcome.ts';
import type { ProviderContext, SessionStore } from '../../src/core/ports.ts';
import { silentMetrics } from '../../src/telemetry/silent-metrics.ts';
import { type FakeClock, fakeClock } from './fake-clock.ts';
import { plainSessionStore } from './plain-session-store.ts';
import { type RememberedLog, rememberedLog } from './remembered-log.ts';
import { sampleEvidence } from './sample-session.ts';

export interface AdapterUnderTest {
  readonly adapter: AttributionAdapter;
  readonly clock: FakeClock;
  readonly log: RememberedLog;
  readonly sessions: SessionStore;
}

export interface AdapterChanges {
  readonly sessions?: (real: SessionStore) => SessionStore;
  readonly settings?: Partial<AdapterSettings>;
  readonly redact?: (text: string) => string;
  readonly audit?: Pick<AuditStore, 'record'>;
}

export type Attribute = (context: ProviderContext, request: AttributionRequest) => Promise<Outcome>;

/** The adapter around a provider of the test's own, with a clock that stands still and sessions in memory. */
export function adapterUnderTest(attribute: Attribute, changes: AdapterChanges = {}): AdapterUnderTest {
  const clock = fakeClock();
  const log = rememberedLog();
  const plain = plainSessionStore();
  const sessions = changes.sessions?.(plain) ?? plain;
  let ids = 0;
  const adapter = createAttributionAdapter({
    provider: {
      kind: 'test',
      corpusHash: null,
      attribute: (request, context) => attribute(context, request),
    },
    sessions,
    audit: changes.audit ?? null,
    clock,
    log,
    metrics: silentMetrics,
    redact: changes.redact ?? (text => text),
    settings: { ...defaultAdapterSettings, ...changes.settings },
    serviceId: 'attribution-adapter',
    versionOf: corpusHash => (corpusHash === null ? '0.1.0' : `0.1.0+${corpusHash}`),
    randomId: () => {
      ids += 1;
      return `id-${ids}`;
    },
  });
  return { adapter, clock, log, sessions };
}

export const call: Call = { caller: null, traceparent: null, tracestate: null };

export function outcome(change: Partial<Outcome> = {}): Outcome {
  return { findings: [], unattributed: [], coverage: [], problem: null, ...change };
}

export function finding(node = 'worker-01', change: Partial<Finding> = {}): Finding {
  const evidence = [sampleEvidence({ node })];
  return {
    target: { type: 'Node', node },
    category: 'accelerator_gpu',
    observedAt: evidence[0]?.observedAt ?? null,
    evidence,
    confidence: 0.9,
    ...change,
  };
}
