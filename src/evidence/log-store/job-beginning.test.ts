import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFakeLoki } from '../../../tests/support/fakes/loki.ts';
import { lokiSource, pushToLoki } from '../../../tests/support/fakes/loki-under-test.ts';
import { collectLines, planFor } from '../../../tests/support/log-lines.ts';
import { assertOrdered, type LoggedLine } from '../../../tests/support/log-store-suite.ts';
import { minute, second } from '../../core/time.ts';

const from = 1_796_126_400n * second;
const window = { from, to: from + 17n * minute };

function text(offset: bigint, line: string): LoggedLine {
  return { origin: 'job', node: 'login-01', job: '4711', file: '/logs/4711.out', nanos: from + offset, line };
}

const day: readonly LoggedLine[] = [
  text(-600n * minute, 'node-01:100:200 [0] NCCL INFO comm 0x1 rank 0 nranks 2'),
  ...Array.from({ length: 20 }, (_, index) =>
    text(-500n * minute + BigInt(index) * minute, `iteration ${index}`),
  ),
  text(minute, 'RuntimeError: NCCL error'),
];

async function read(settings: Readonly<Record<string, unknown>>, change: { startTime?: bigint } = {}) {
  const server = await startFakeLoki();
  await pushToLoki(server.url, 'a', day);
  const source = lokiSource(server.url, {
    matchers: '{cluster="a"}',
    kernel: false,
    epilog: false,
    ...settings,
  });
  const plan = planFor(['node-01'], window);
  const scope = { ...plan.request.scope, startTime: change.startTime ?? null };
  try {
    return await collectLines(source, { ...plan, request: { ...plan.request, scope } });
  } finally {
    await source.close?.();
    await server.close();
  }
}

test('what a job said at its start comes before its window, in one stream', async () => {
  const { lines } = await read({});
  assert.equal(lines.length, day.length);
  assert.equal(lines[0]?.text, day[0]?.line);
  assertOrdered(lines);
});

test('of a long beginning the first page is read, which is no truncation of the window', async () => {
  const { lines, coverage } = await read({ pageLines: 5 });
  assert.deepEqual(
    lines.map(line => line.text),
    [...day.slice(0, 5), ...day.slice(-1)].map(({ line }) => line),
  );
  assert.equal(coverage[0]?.groups[0]?.status, 'complete');
  assert.ok(coverage[0]?.remarks.some(remark => remark.includes('only the first page')));
});

test('a start that the request gives is where the beginning is looked for', async () => {
  const { lines } = await read({}, { startTime: from - 495n * minute });
  assert.equal(lines[0]?.text, 'iteration 5');
});

test('the beginning can be left unread', async () => {
  const { lines } = await read({ jobHours: 0 });
  assert.deepEqual(
    lines.map(line => line.text),
    ['RuntimeError: NCCL error'],
  );
});
