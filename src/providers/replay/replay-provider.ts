import type { SourceCoverage } from '../../core/coverage.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { Provider } from '../../core/ports.ts';
import { scopedOutcome } from '../scoped-outcome.ts';
import { readRecording } from './read-recording.ts';

export interface ReplaySettings {
  /** A recorded answer, a folder with `fast.json` and perhaps `slow.json`, or a recorded case. */
  readonly path: string;
}

/** Gives the recorded answer to every request: for tests of callers and for demonstrations. It looks at nothing. */
export async function openReplayProvider({ path }: ReplaySettings): Promise<Provider> {
  const recording = await readRecording(path);
  return {
    kind: 'replay',
    corpusHash: null,
    async attribute(request) {
      const recorded = request.phase === 'fast' ? recording.fast : recording.slow;
      if (recorded === null) return nothingRecorded;
      const { outcome, leftOut } = scopedOutcome(recorded, request);
      const remarks = leftOut.map(node => `the recording names ${node}, which is not in the scope`);
      return { ...outcome, coverage: [{ ...nothingRead, remarks }] };
    },
  };
}

const nothingRead: SourceCoverage = {
  source: 'replay',
  origin: 'job',
  window: null,
  query: null,
  filter: null,
  streams: 0,
  lines: 0,
  bytes: 0,
  groups: [{ status: 'unknown', nodes: '', count: 0, reason: 'the answer is a recording: nothing was read' }],
  notYet: null,
  remarks: [],
};

const nothingRecorded: Outcome = {
  findings: [],
  unattributed: [],
  coverage: [nothingRead],
  problem: { type: 'no_attribution_available', message: 'nothing was recorded for slow requests' },
};
