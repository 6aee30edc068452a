import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  namesOf,
  providerSuite,
  suiteCase,
  suiteContext,
  suiteRequest,
} from '../../../tests/support/provider-suite.ts';
import { temporaryFolder } from '../../../tests/support/service.ts';
import { renderResponse } from '../../contract/index.ts';
import { StartupError } from '../../core/errors.ts';
import { openReplayProvider } from './replay-provider.ts';

providerSuite('replay provider', async () => ({
  flags: { 'provider.kind': 'replay', 'provider.replay.path': suiteCase },
}));

function recorded(node: string, reference: { kind: 'file'; path: string; line: number }): string {
  const observedAt = 1_788_955_200_000_000_000n;
  const message = 'NVRM: Xid (PCI:0000:b3:00): 79, GPU has fallen off the bus.';
  return renderResponse({
    serviceId: 'attribution-adapter',
    serviceVersion: '0.1.0',
    requestId: 'r',
    attributionSessionId: 's',
    attributions: [
      {
        target: { type: 'Node', node },
        category: 'accelerator_gpu',
        observedAt,
        confidence: null,
        evidence: [{ kind: 'kernel_log', source: 'logs', observedAt, node, message, reference }],
      },
    ],
    unattributedTargets: [],
    error: null,
  });
}

test('a recorded answer comes back with its evidence, for both phases', async context => {
  const file = join(temporaryFolder(context), 'answer.json');
  const reference = { kind: 'file', path: 'kernel/node-03.log', line: 17 } as const;
  writeFileSync(file, recorded('node-03', reference));
  const provider = await openReplayProvider({ path: file });
  for (const phase of ['fast', 'slow'] as const) {
    const outcome = await provider.attribute(suiteRequest({ phase }), suiteContext());
    assert.deepEqual(namesOf(outcome), ['node-03']);
    assert.deepEqual(outcome.findings[0]?.evidence[0]?.reference, reference);
  }
});

test('a folder has an answer for each phase, and slow may be missing', async context => {
  const folder = temporaryFolder(context);
  const reference = { kind: 'file', path: 'a:b.log', line: 1 } as const;
  writeFileSync(join(folder, 'fast.json'), recorded('node-01', reference));
  const fastOnly = await openReplayProvider({ path: folder });
  const slow = await fastOnly.attribute(suiteRequest({ phase: 'slow' }), suiteContext());
  assert.equal(slow.problem?.type, 'no_attribution_available');
  writeFileSync(join(folder, 'slow.json'), recorded('node-02', reference));
  const both = await openReplayProvider({ path: folder });
  assert.deepEqual(namesOf(await both.attribute(suiteRequest(), suiteContext())), ['node-01']);
  const later = await both.attribute(suiteRequest({ phase: 'slow' }), suiteContext());
  assert.deepEqual(namesOf(later), ['node-02']);
});

test('a case gives what it expects of slow as well', async () => {
  const path = join(suiteCase, '../epilog-finds-a-dead-gpu');
  const provider = await openReplayProvider({ path });
  assert.deepEqual(namesOf(await provider.attribute(suiteRequest(), suiteContext())), []);
  const slow = await provider.attribute(suiteRequest({ phase: 'slow' }), suiteContext());
  assert.deepEqual(namesOf(slow), ['node-03']);
});

test('what is no recording stops start-up with its place', async context => {
  const folder = temporaryFolder(context);
  mkdirSync(join(folder, 'empty'));
  writeFileSync(join(folder, 'text.json'), 'hello');
  writeFileSync(
    join(folder, 'foreign.json'),
    recorded('n', { kind: 'file', path: 'a', line: 1 }).replace('accelerator_gpu', 'gremlins'),
  );
  mkdirSync(join(folder, 'case'));
  writeFileSync(join(folder, 'case/expected.json'), '{"targets":[{"type":"Rack"}]}');
  const problems = {
    '': /^provider\.replay\.path is empty/,
    missing: /missing cannot be read \(ENOENT\)$/,
    empty: /empty\/fast\.json is missing/,
    'text.json': /text\.json is no answer of the attribution contract$/,
    'foreign.json': /foreign\.json has a category that is none of ours/,
    case: /expected\.json\.targets\[0\]\.type is none of Node, AllJobResources$/,
  };
  for (const [name, message] of Object.entries(problems)) {
    const opening = openReplayProvider({ path: name === '' ? '' : join(folder, name) });
    await assert.rejects(opening, { name: StartupError.name, message });
  }
});
