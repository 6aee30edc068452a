import type { Evidence, Outcome } from '../../src/core/outcome.ts';
import type { Session, StoredAnswer } from '../../src/core/session.ts';
import type { Symptom } from '../../src/core/symptom.ts';
import type { Instant } from '../../src/core/time.ts';

const moment = 1_788_955_200_000_000_001n;

const sampleInstant: Instant = {
  nanos: moment,
  plusMinus: 1_000n,
  basis: 'stamped',
  clock: 'node-01/boot-1',
  tick: moment,
};

export function sampleEvidence(change: Partial<Evidence> = {}): Evidence {
  return {
    kind: 'kernel_log',
    source: 'logs',
    observedAt: moment,
    node: 'node-01',
    message: 'NVRM: Xid (PCI:0000:b3:00): 79, GPU has fallen off the bus.',
    reference: { kind: 'file', path: 'kernel/node-01.log', line: 17 },
    ...change,
  };
}

export function sampleOutcome(change: Partial<Outcome> = {}): Outcome {
  return {
    findings: [
      {
        target: { type: 'Node', node: 'node-01' },
        category: 'accelerator_gpu',
        observedAt: moment,
        evidence: [sampleEvidence()],
        confidence: 0.93,
      },
    ],
    unattributed: [],
    coverage: [],
    problem: null,
    ...change,
  };
}

export function sampleAnswer(requestId: string, outcome: Outcome = sampleOutcome()): StoredAnswer {
  return { requestId, phase: 'fast', at: moment, outcome, late: false };
}

export function sampleSymptom(change: Partial<Symptom> = {}): Symptom {
  return {
    id: 'symptom-1',
    rule: 'gpu/fallen-off-bus',
    title: 'GPU no longer answers on its bus',
    symptom: 'gpu-fallen-off-bus',
    code: 'xid-79',
    category: 'accelerator_gpu',
    blames: 'node',
    ruleRole: 'root',
    strength: 'S1',
    status: 'stable',
    lasts: false,
    inhibits: [],
    origin: 'kernel',
    stream: 'kernel/node-01.log',
    node: 'node-01',
    rank: null,
    device: { pci: '0000:b3:00', uuid: null, index: 3, name: null },
    first: sampleInstant,
    last: sampleInstant,
    count: 1,
    countIsAtLeast: false,
    observations: [
      {
        instant: sampleInstant,
        source: 'logs',
        origin: 'kernel',
        stream: 'kernel/node-01.log',
        node: 'node-01',
        rank: null,
        device: null,
        text: 'NVRM: Xid (PCI:0000:b3:00): 79, GPU has fallen off the bus.',
        reference: { kind: 'file', path: 'kernel/node-01.log', line: 17 },
        captures: { pci: '0000:b3:00', xid: '79' },
      },
    ],
    role: 'initiating',
    reason: null,
    ...change,
  };
}

export function sampleSession(id: string, change: Partial<Session> = {}): Session {
  return {
    id,
    version: 0,
    binding: { workloadId: '12345', workflowId: 'training-example', attemptIndex: 0, caller: null },
    createdAt: moment,
    moment,
    windows: [{ from: moment - 900_000_000_000n, to: moment }],
    symptoms: [sampleSymptom()],
    coverage: [],
    corpusHash: 'c0ffee',
    answers: [],
    ...change,
  };
}
