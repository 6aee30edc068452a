import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAdapter } from '../../src/app/adapter.ts';
import { openProvider } from '../../src/app/provider.ts';
import { readSettings } from '../../src/config/read-settings.ts';
import type { AttributionResponse, Phase } from '../../src/contract/index.ts';
import type { SessionStore } from '../../src/core/ports.ts';
import type { Session } from '../../src/core/session.ts';
import { formatNanos, minute, type Nanos } from '../../src/core/time.ts';
import { databaseSessionStore } from '../../src/sessions/database-store.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { systemClock } from '../../src/telemetry/system-clock.ts';
import { sampleRequest } from '../support/sample-request.ts';
import { temporaryFolder } from '../support/service.ts';
import { silentLog } from '../support/silent-log.ts';

interface Failure {
  readonly workflow: string;
  readonly attempt?: number;
  /** Days ago. */
  readonly daysAgo: number;
  readonly phase?: Phase;
  readonly session?: string | null;
  readonly shadow?: boolean;
}

const call = { caller: null, traceparent: null, tracestate: null };

/** The logs of a node whose GPU reports one page fault shortly before the failure, and of one that reports nothing. */
function writeLogs(folder: string, at: Nanos): void {
  mkdirSync(join(folder, 'kernel'), { recursive: true });
  const line = (offset: bigint, node: string, text: string) =>
    `${formatNanos(at + offset)} ${node} kernel: ${text}\n`;
  const fault = 'NVRM: Xid (PCI:0000:b3:00): 31, pid=4711, name=python3, Ch 00000012, intr 10000000. MMU Fault';
  const quiet = (node: string) => line(-5n * minute, node, 'eth0: link is up');
  writeFileSync(join(folder, 'kernel/node-01.log'), quiet('node-01') + line(-minute, 'node-01', fault));
  writeFileSync(join(folder, 'kernel/node-02.log'), quiet('node-02'));
}

/** Asks a service of its own, started and ended for this one request. */
async function askAbout(
  context: { after(run: () => void): void },
  state: string,
  { workflow, attempt = 0, daysAgo, phase = 'fast', session = null, shadow = false }: Failure,
): Promise<AttributionResponse> {
  const at = systemClock.now() - BigInt(daysAgo) * 24n * 60n * minute - 5n * minute;
  const folder = temporaryFolder(context);
  writeLogs(folder, at);
  const { settings } = readSettings({
    file: null,
    environment: {},
    flags: { state, shadow, 'rules.workers': 1 },
  });
  const surroundings = { clock: systemClock, log: silentLog, packageVersion: '0.0.0' };
  const provider = await openProvider(settings, [folder], surroundings);
  const { adapter, close } = await openAdapter(settings, provider, surroundings);
  try {
    const epilog =
      phase === 'slow' ? { startTime: at, endTime: at + minute } : { startTime: null, endTime: null };
    return await adapter.attribute(
      sampleRequest({
        workloadId: `job-${workflow}-${attempt}`,
        scope: { nodes: ['node-01', 'node-02'], ranks: [], ...epilog },
        failureContext: { detectedAt: at, detectionSignal: 'error' },
        timeoutMs: 60_000,
        workloadContext: { workflowId: workflow, attemptIndex: attempt, jobEndTime: at },
        phase,
        continueSession: session,
      }),
      call,
    );
  } finally {
    await close();
    await provider.close?.();
  }
}

async function withStore<T>(state: string, use: (store: SessionStore) => Promise<T>): Promise<T> {
  const database = await openDatabase({ file: join(state, 'state.sqlite') });
  try {
    return await use(databaseSessionStore({ database, clock: systemClock, log: silentLog }));
  } finally {
    await database.close();
  }
}

function storedSession(state: string, id: string, workflowId: string): Promise<Session | null> {
  const binding = { workloadId: `job-${workflowId}-0`, workflowId, attemptIndex: 0, caller: null };
  return withStore(state, store => store.get(id, binding));
}

function keepSession(state: string, session: Session): Promise<void> {
  return withStore(state, store => store.open(session));
}

const named = ({ attributions }: AttributionResponse): readonly string[] =>
  attributions.flatMap(({ target }) => (target.type === 'Node' ? [target.node] : []));

test('an ambiguous error names the node in the third unrelated workflow, across restarts', async context => {
  const state = temporaryFolder(context);
  assert.deepEqual(named(await askAbout(context, state, { workflow: 'a', daysAgo: 3 })), []);
  assert.deepEqual(named(await askAbout(context, state, { workflow: 'a', daysAgo: 3 })), []);
  assert.deepEqual(named(await askAbout(context, state, { workflow: 'b', daysAgo: 2 })), []);
  const third = await askAbout(context, state, { workflow: 'c', daysAgo: 1 });
  assert.deepEqual(named(third), ['node-01']);
  const kinds = third.attributions[0]?.evidence.map(item => item.kind);
  assert.ok(kinds?.includes('history') && kinds.includes('kernel_log'));

  const again = await askAbout(context, state, {
    workflow: 'c',
    daysAgo: 1,
    phase: 'slow',
    session: third.attributionSessionId,
  });
  assert.deepEqual(named(again), ['node-01']);
});

test('the session of the third one says the same on a machine without that history', async context => {
  const state = temporaryFolder(context);
  for (const [workflow, daysAgo] of [
    ['a', 3],
    ['b', 2],
  ] as const) {
    await askAbout(context, state, { workflow, daysAgo });
  }
  const third = await askAbout(context, state, { workflow: 'c', daysAgo: 1 });
  const session = await storedSession(state, third.attributionSessionId ?? '', 'c');
  assert.ok(session);

  const elsewhere = temporaryFolder(context);
  const slow = { workflow: 'c', daysAgo: 1, phase: 'slow' } as const;
  await keepSession(elsewhere, session);
  assert.deepEqual(named(await askAbout(context, elsewhere, { ...slow, session: session.id })), ['node-01']);
  assert.deepEqual(named(await askAbout(context, elsewhere, slow)), []);
});

test('three attempts of one workflow name nobody', async context => {
  const state = temporaryFolder(context);
  for (const attempt of [0, 1, 2]) {
    assert.deepEqual(
      named(await askAbout(context, state, { workflow: 'a', attempt, daysAgo: 3 - attempt })),
      [],
    );
  }
});

test('what happened more than 14 days before does not count', async context => {
  const state = temporaryFolder(context);
  for (const [workflow, daysAgo] of [
    ['a', 20],
    ['b', 18],
  ] as const)
    await askAbout(context, state, { workflow, daysAgo });
  assert.deepEqual(named(await askAbout(context, state, { workflow: 'c', daysAgo: 1 })), []);
});

test('what failed in shadow mode counts for no answer that is told, also where slow goes on with its session', async context => {
  const state = temporaryFolder(context);
  await askAbout(context, state, { workflow: 'a', daysAgo: 3, shadow: true });
  await askAbout(context, state, { workflow: 'b', daysAgo: 2, shadow: true });
  const third = await askAbout(context, state, { workflow: 'c', daysAgo: 1, shadow: true });
  assert.deepEqual(named(third), []);
  // In shadow itself it counts: the verdict is what it would have been.
  const session = await storedSession(state, third.attributionSessionId ?? '', 'c');
  assert.deepEqual(
    session?.answers.map(({ outcome }) => outcome.findings.length),
    [1],
  );
  const slow = { workflow: 'c', daysAgo: 1, phase: 'slow', session: session?.id ?? null } as const;
  assert.deepEqual(named(await askAbout(context, state, slow)), []);
  assert.deepEqual(named(await askAbout(context, state, { workflow: 'd', daysAgo: 1 })), []);
});
