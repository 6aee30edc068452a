import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '../../tests/support/fake-clock.ts';
import { rememberedLog } from '../../tests/support/remembered-log.ts';
import { sampleRequest } from '../../tests/support/sample-request.ts';
import { silentLog } from '../../tests/support/silent-log.ts';
import type { Located, Source } from '../core/ports.ts';
import { nothingProved } from './coverage.ts';
import { locateAll, remarkOnLate } from './locate-all.ts';

const request = sampleRequest();
const never = new AbortController().signal;
const located = (source: string): Located => ({
  source,
  nodes: [],
  nodesFrom: 'evidence',
  jobStart: null,
  jobEnd: null,
  jobLastStamp: null,
  said: 'nothing',
});
const source = (name: string, locate?: Source['locate']): Source => ({
  name,
  origins: ['scheduler'],
  ...(locate === undefined ? {} : { locate }),
  collect: () => {
    throw new Error('nothing is collected here');
  },
});
const prompt = source('prompt', () => Promise.resolve(located('prompt')));
const stuck = source('stuck', () => new Promise<never>(() => {}));
/** Stops when it is told to, and hands out what it has. */
const obedient = source(
  'obedient',
  (_request, signal) =>
    new Promise(resolve => {
      signal.addEventListener('abort', () => resolve(located('obedient')));
    }),
);

test('every source that can is asked, and one that throws is logged and says nothing', async () => {
  const log = rememberedLog();
  const broken = source('broken', () => Promise.reject(new Error('bug')));
  const empty = source('empty', () => Promise.resolve(null));
  const told = await locateAll([broken, source('mute'), prompt, empty], request, never, log);
  assert.deepEqual(told, { located: [located('prompt')], late: [] });
  assert.equal(log.lines.length, 1);
});

test('it does not wait beyond the signal', async () => {
  const deadline = new AbortController();
  setImmediate(() => deadline.abort());
  const told = await locateAll([stuck, prompt], request, deadline.signal, silentLog, { graceMs: 1 });
  assert.deepEqual(told, { located: [located('prompt')], late: ['stuck'] });
  const afterwards = await locateAll([stuck, prompt], request, deadline.signal, silentLog, { graceMs: 1 });
  assert.deepEqual(afterwards.located, [located('prompt')]);
});

test('it takes a share of the time, with or without nodes, and keeps what sources hand out then', async () => {
  for (const nodes of [['node-01'], []]) {
    const scope = { ...request.scope, nodes };
    const short = sampleRequest({ timeoutMs: 100, scope });
    const told = await locateAll([stuck, obedient, prompt], short, never, silentLog, { graceMs: 20 });
    assert.deepEqual(told.located, [located('obedient'), located('prompt')]);
    assert.deepEqual(told.late.toSorted(), ['obedient', 'stuck']);
  }
});

test('a time longer than timers take is no time that is up at once', async () => {
  const slow = source('slow', async () => {
    await new Promise(resolve => setTimeout(resolve, 20));
    return located('slow');
  });
  const long = sampleRequest({ timeoutMs: Number.MAX_SAFE_INTEGER });
  assert.deepEqual(await locateAll([slow], long, never, silentLog), { located: [located('slow')], late: [] });
});

test('coverage of a source that was late says so once', () => {
  const plan = {
    request,
    windows: [],
    epilogWindow: null,
    nodes: [],
    cover: {},
    only: null,
    everything: false,
  };
  const coverage = nothingProved(stuck, plan, 'timed_out', 'late');
  const [entry] = remarkOnLate(remarkOnLate(coverage, ['stuck']), ['stuck']);
  assert.equal(entry?.remarks.length, 1);
  assert.deepEqual(remarkOnLate(coverage, ['other']), coverage);
});

test("the share of a request's time runs out by its own clock", async () => {
  const clock = fakeClock(0n);
  const telling = locateAll([stuck, prompt], request, never, silentLog, { graceMs: 1, clock });
  await clock.advance(request.timeoutMs);
  assert.deepEqual((await telling).late, [stuck.name]);
  assert.equal(clock.pending(), 0);
});
