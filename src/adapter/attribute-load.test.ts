import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { adapterUnderTest, call, finding, outcome } from '../../tests/support/adapter-under-test.ts';
import { settle } from '../../tests/support/fake-clock.ts';
import { sampleRequest } from '../../tests/support/sample-request.ts';
import type { Outcome } from '../core/outcome.ts';

/** An adapter whose provider answers when told to; `asked` tells how often it was. */
function waitingAdapter(settings: { readonly maxAnalyses?: number } = {}) {
  const gate = Promise.withResolvers<Outcome>();
  const asked: AbortSignal[] = [];
  const audited: (string | null)[] = [];
  const tested = adapterUnderTest(
    context => {
      asked.push(context.soft);
      context.soft.addEventListener('abort', () => gate.resolve(outcome()));
      return gate.promise;
    },
    {
      settings,
      audit: {
        async record({ requestId }) {
          audited.push(requestId);
        },
      },
    },
  );
  return { ...tested, asked, audited, answer: () => gate.resolve(outcome({ findings: [finding()] })) };
}

describe('requests that ask the same at the same time', () => {
  test('are answered by one analysis, each with its own id, and each answer is kept', async () => {
    const { adapter, asked, audited, answer } = waitingAdapter();
    const both = ['a', 'b'].map(requestId => adapter.attribute(sampleRequest(), { ...call, requestId }));
    await settle();
    assert.equal(asked.length, 1);
    answer();
    const [first, second] = await Promise.all(both);
    assert.deepEqual([first?.requestId, second?.requestId], ['a', 'b']);
    assert.deepEqual({ ...second, requestId: 'a' }, first);
    await adapter.settled();
    assert.deepEqual(audited.toSorted(), ['a', 'b']);
  });

  test('are analysed apart where another caller asks, or about another attempt', async () => {
    const { adapter, asked, answer } = waitingAdapter();
    const request = sampleRequest();
    const { workloadContext } = request;
    const next = { ...request, workloadContext: { ...workloadContext, attemptIndex: 7 } };
    const all = [
      adapter.attribute(request, { ...call, caller: 'one' }),
      adapter.attribute(request, { ...call, caller: 'two' }),
      adapter.attribute(next, { ...call, caller: 'one' }),
    ];
    await settle();
    assert.equal(asked.length, 3);
    answer();
    const sessions = (await Promise.all(all)).map(({ attributionSessionId }) => attributionSessionId);
    assert.equal(new Set(sessions).size, 3);
  });

  test('go on for one when the other hangs up, and end when both do', async () => {
    const { adapter, asked } = waitingAdapter();
    const callers = [new AbortController(), new AbortController()];
    const both = callers.map(({ signal }) => adapter.attribute(sampleRequest(), { ...call, aborted: signal }));
    await settle();
    callers[0]?.abort();
    assert.equal(asked[0]?.aborted, false);
    callers[1]?.abort();
    assert.equal(asked[0]?.aborted, true);
    await Promise.all(both);
  });

  test('one that comes after the others hung up is analysed anew', async () => {
    const { adapter, asked } = waitingAdapter();
    const gone = new AbortController();
    const first = adapter.attribute(sampleRequest(), { ...call, aborted: gone.signal });
    await settle();
    gone.abort();
    const second = adapter.attribute(sampleRequest(), call);
    await Promise.all([first, second]);
    assert.equal(asked.length, 2);
  });
});

describe('more requests than are analysed at once', () => {
  const other = (attemptIndex: number) => {
    const request = sampleRequest();
    return { ...request, workloadContext: { ...request.workloadContext, attemptIndex } };
  };

  test('wait for their turn', async () => {
    const { adapter, asked, answer } = waitingAdapter({ maxAnalyses: 1 });
    const both = [1, 2].map(attempt => adapter.attribute(other(attempt), call));
    await settle();
    assert.equal(asked.length, 1);
    answer();
    const answers = await Promise.all(both);
    assert.equal(asked.length, 2);
    assert.deepEqual(
      answers.map(({ attributions }) => attributions.length),
      [1, 1],
    );
  });

  test('are answered at their deadline when it does not come', async () => {
    const { adapter, clock, asked } = waitingAdapter({ maxAnalyses: 1 });
    const long = adapter.attribute({ ...other(1), timeoutMs: 60_000 }, call);
    const short = adapter.attribute({ ...other(2), timeoutMs: 1_000 }, call);
    await clock.advance(1_000);
    const answer = await short;
    assert.deepEqual([answer.attributions, answer.error?.type], [[], 'timeout']);
    assert.equal(asked.length, 1);
    await clock.advance(60_000);
    await long;
  });

  test('come to their turn although a provider never comes back', async () => {
    let calls = 0;
    const { adapter, clock } = adapterUnderTest(
      () => {
        calls += 1;
        return calls === 1 ? new Promise<Outcome>(() => {}) : Promise.resolve(outcome());
      },
      { settings: { maxAnalyses: 1 } },
    );
    const stuck = adapter.attribute({ ...other(1), timeoutMs: 1_000 }, call);
    const next = adapter.attribute({ ...other(2), timeoutMs: 10_000 }, call);
    await clock.advance(1_000);
    assert.equal((await stuck).error?.type, 'timeout');
    assert.equal((await next).error, null);
  });
});

test('hurried, what runs is answered at once with what is known', async () => {
  const { adapter, asked } = waitingAdapter();
  const running = adapter.attribute({ ...sampleRequest(), timeoutMs: 600_000 }, call);
  await settle();
  adapter.hurry();
  assert.equal(asked[0]?.aborted, true);
  assert.equal((await running).attributions.length, 0);
});
