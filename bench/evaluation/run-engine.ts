import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCorpus } from '../../src/app/engine.ts';
import type { CaseFolder, CaseStep } from '../../src/cli/case-folder.ts';
import { openReplays } from '../../src/cli/replay-case.ts';
import { silentLog } from '../../tests/support/silent-log.ts';
import type { Incident, IncidentRequest } from '../incidents/incident.ts';
import { type Answer, answerOf } from './answer.ts';
import { writeFiles } from './write-case.ts';

/** The product itself: the adapter with its provider, reading files. */
export interface EngineUnderTest {
  /** The last answer to an incident, and the first where there are two. */
  answer(incident: Incident): Promise<{ readonly first: Answer; readonly last: Answer }>;
  close(): Promise<void>;
}

/** Files lie in memory where the system offers that: what is measured is reasoning, not a disk. */
function scratch(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
}

export async function openEngineUnderTest(workers: number): Promise<EngineUnderTest> {
  const root = await mkdtemp(join(scratch(), 'attribution-evaluation-'));
  const replays = openReplays({
    corpus: await openCorpus(),
    log: silentLog,
    packageVersion: '0.0.0',
    workers,
    changes: false,
  });
  return {
    async answer(incident) {
      const folder = join(root, incident.id);
      try {
        const { fast, slow } = await replays.replay(await lay(folder, incident));
        const first = answerOf(fast);
        return { first, last: slow === null ? first : answerOf(slow) };
      } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      }
    },
    async close() {
      await replays.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Lays an incident out as a recorded case. */
async function lay(folder: string, incident: Incident): Promise<CaseFolder> {
  const evidence = join(folder, 'evidence');
  await writeFiles(evidence, incident.files);
  const fast = stepOf(incident.request, [evidence]);
  const { slow } = incident;
  const late = join(folder, 'slow');
  if (slow !== null) await writeFiles(late, slow.files);
  return {
    path: folder,
    title: incident.id,
    now: BigInt(Date.parse(incident.now)) * 1_000_000n,
    fast,
    slow: slow === null ? null : stepOf(slow.request, [evidence, late]),
    variants: [],
  };
}

function stepOf(request: IncidentRequest, evidence: readonly string[]): CaseStep {
  return {
    request: new TextEncoder().encode(JSON.stringify(request)),
    evidence,
    expected: { targets: [], categories: [], error: null, mustNotName: [], consequences: [] },
  };
}
