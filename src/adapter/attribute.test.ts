import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { adapterUnderTest, call, finding, outcome } from '../../tests/support/adapter-under-test.ts';
import { sampleRequest, sampleSlowRequest } from '../../tests/support/sample-request.ts';
import type { AttributionRequest } from '../contract/index.ts';

describe('which error, by situation', () => {
  test('what the provider concluded goes out with its own problem', async () => {
    const { adapter } = adapterUnderTest(async () =>
      outcome({ problem: { type: 'insufficient_telemetry', message: 'no source could be read' } }),
    );
    const response = await adapter.attribute(sampleRequest(), call);
    assert.deepEqual(response.error, { type: 'insufficient_telemetry', message: 'no source could be read' });
    assert.deepEqual(response.attributions, []);
  });

  test('findings go out without error', async () => {
    const { adapter } = adapterUnderTest(async () => outcome({ findings: [finding()] }));
    const response = await adapter.attribute(sampleRequest(), call);
    assert.equal(response.error, null);
    assert.deepEqual(response.attributions[0]?.target, { type: 'Node', node: 'worker-01' });
  });

  test('a provider that throws is a service_error that quotes nothing', async () => {
    const { adapter, log } = adapterUnderTest(async context => {
      context.report(outcome({ findings: [finding()] }));
      throw new Error('NVRM: excerpt with password=hunter2');
    });
    const response = await adapter.attribute(sampleRequest(), { ...call, requestId: 'r1' });
    assert.equal(response.error?.type, 'service_error');
    assert.match(response.error?.message ?? '', /under request r1/);
    assert.deepEqual(response.attributions, []);
    assert.doesNotMatch(JSON.stringify(response), /hunter2|excerpt/);
    const line = log.lines.find(({ level }) => level === 'error');
    assert.equal(line?.fields['error'], 'Error');
    assert.doesNotMatch(JSON.stringify(line), /hunter2|excerpt/);
  });

  const windowless: readonly (readonly [string, Partial<AttributionRequest['scope']>])[] = [
    ['missing', { startTime: null, endTime: null }],
    ['half missing', { endTime: null }],
    ['empty', { startTime: 5n, endTime: 5n }],
    ['reversed', { startTime: 6n, endTime: 5n }],
  ];
  for (const [how, scope] of windowless) {
    test(`slow with its window ${how} is no_attribution_available and asks nobody`, async () => {
      let asked = 0;
      const { adapter } = adapterUnderTest(async () => {
        asked += 1;
        return outcome({ findings: [finding()] });
      });
      const request = sampleSlowRequest();
      const response = await adapter.attribute({ ...request, scope: { ...request.scope, ...scope } }, call);
      assert.equal(response.error?.type, 'no_attribution_available');
      assert.deepEqual(response.attributions, []);
      assert.equal(asked, 0);
      assert.notEqual(response.attributionSessionId, null);
    });
  }

  test('timeout_ms of zero or less is answered at once, without a session', async () => {
    const { adapter } = adapterUnderTest(async () => assert.fail('nobody is asked'));
    for (const timeoutMs of [0, -1]) {
      const response = await adapter.attribute(sampleRequest({ timeoutMs }), call);
      assert.equal(response.error?.type, 'timeout');
      assert.equal(response.attributionSessionId, null);
    }
  });

  test('a missing slow window is told even where no time was given', async () => {
    const { adapter } = adapterUnderTest(async () => assert.fail('nobody is asked'));
    const response = await adapter.attribute(sampleRequest({ phase: 'slow', timeoutMs: 0 }), call);
    assert.equal(response.error?.type, 'no_attribution_available');
  });
});

describe('deadline', () => {
  const never = (): Promise<never> => new Promise(() => {});

  test('nothing known: an empty answer with timeout, at the deadline and not before', async () => {
    const { adapter, clock } = adapterUnderTest(never);
    const answer = adapter.attribute(sampleRequest({ timeoutMs: 10_000 }), call);
    let answered = false;
    void answer.then(() => {
      answered = true;
    });
    await clock.advance(9_999);
    assert.equal(answered, false);
    await clock.advance(1);
    const response = await answer;
    assert.equal(response.error?.type, 'timeout');
    assert.deepEqual(response.attributions, []);
    assert.notEqual(response.attributionSessionId, null);
  });

  test('the last report is the answer, with timeout', async () => {
    const { adapter, clock } = adapterUnderTest(context => {
      context.report(outcome({ findings: [finding('worker-02')] }));
      context.report(outcome({ findings: [finding('worker-01')] }));
      return never();
    });
    const answer = adapter.attribute(sampleRequest(), call);
    await clock.advance(10_000);
    const response = await answer;
    assert.equal(response.error?.type, 'timeout');
    assert.deepEqual(response.attributions[0]?.target, { type: 'Node', node: 'worker-01' });
  });

  test('timeout outweighs insufficient_telemetry of a report', async () => {
    const { adapter, clock } = adapterUnderTest(context => {
      context.report(outcome({ problem: { type: 'insufficient_telemetry', message: 'nothing read yet' } }));
      return never();
    });
    const answer = adapter.attribute(sampleRequest(), call);
    await clock.advance(10_000);
    assert.equal((await answer).error?.type, 'timeout');
  });

  test('a provider has the reserve after soft, and its answer is its own', async () => {
    const { adapter, clock } = adapterUnderTest(
      context =>
        new Promise(resolve => {
          context.soft.addEventListener('abort', () =>
            clock.after(999, () => resolve(outcome({ findings: [finding()] }))),
          );
        }),
    );
    const answer = adapter.attribute(sampleRequest(), call);
    await clock.advance(9_999);
    const response = await answer;
    assert.equal(response.error, null);
    assert.equal(response.attributions.length, 1);
  });

  test('a provider is given no more time than there is', async () => {
    const given: number[] = [];
    const settings = { maxTimeoutMs: 5000 };
    const { adapter } = adapterUnderTest(
      (_context, { timeoutMs }) => {
        given.push(timeoutMs);
        return Promise.resolve(outcome());
      },
      { settings },
    );
    await adapter.attribute(sampleRequest(), call);
    await adapter.attribute(sampleRequest({ timeoutMs: 4000 }), call);
    assert.deepEqual(given, [5000, 4000]);
  });

  test('a provider that lets soft escape was cut, and did not fail', async () => {
    const { adapter, clock } = adapterUnderTest(context => {
      context.report(outcome({ findings: [finding()] }));
      return new Promise((_, reject) =>
        context.soft.addEventListener('abort', () => reject(context.soft.reason)),
      );
    });
    const answer = adapter.attribute(sampleRequest(), call);
    await clock.advance(9_000);
    const response = await answer;
    assert.equal(response.error?.type, 'timeout');
    assert.equal(response.attributions.length, 1);
  });

  test('beyond ten minutes the time is clamped', async () => {
    const { adapter, clock } = adapterUnderTest(never);
    const answer = adapter.attribute(sampleRequest({ timeoutMs: 2 ** 40 }), call);
    await clock.advance(600_000);
    assert.equal((await answer).error?.type, 'timeout');
  });

  test('no timer is left once the answer is out', async () => {
    const { adapter, clock } = adapterUnderTest(async () => outcome());
    await adapter.attribute(sampleRequest(), call);
    assert.equal(clock.pending(), 0);
  });

  test('a caller that hangs up ends the reading', async () => {
    const gone = new AbortController();
    let ended = false;
    const { adapter } = adapterUnderTest(
      context =>
        new Promise(resolve => {
          context.soft.addEventListener('abort', () => {
            ended = true;
            resolve(outcome());
          });
        }),
    );
    const answer = adapter.attribute(sampleRequest(), { ...call, aborted: gone.signal });
    setImmediate(() => gone.abort());
    await answer;
    assert.equal(ended, true);
  });
});

test('trace headers and the request id are in every line of the log, the user is in none', async () => {
  const { adapter, log } = adapterUnderTest(async context => {
    context.log.info({}, 'reading');
    return outcome();
  });
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await adapter.attribute(sampleRequest({ userId: 'user1' }), { ...call, requestId: 'r1', traceparent });
  assert.ok(log.lines.length >= 2);
  for (const { fields } of log.lines) {
    assert.equal(fields['request_id'], 'r1');
    assert.equal(fields['trace_id'], '0af7651916cd43dd8448eb211c80319c');
  }
  assert.doesNotMatch(JSON.stringify(log.lines), /user1/);
});

test('an answer of a foreign schema version is given and said', async () => {
  const { adapter, log } = adapterUnderTest(async () => outcome());
  const response = await adapter.attribute(sampleRequest({ schemaVersion: '0.2.0' }), call);
  assert.equal(response.error, null);
  assert.ok(log.lines.some(line => line.level === 'warn' && line.fields['schema_version'] === '0.2.0'));
});
