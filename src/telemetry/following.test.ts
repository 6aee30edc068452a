import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inSpan } from '../core/tracing.ts';
import { createFollowing, type RecordedSpan, type SpanRecorder } from './following.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parent = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, tracestate: 'a=1' };

/** Remembers spans: name, parent and how they ended. */
function remember(): SpanRecorder & { readonly told: readonly string[] } {
  const told: string[] = [];
  const names = new Map<RecordedSpan, string>();
  return {
    told,
    begin(name, _start, above) {
      const below = above === null ? 'nothing' : 'traceId' in above ? names.get(above) : 'caller';
      let failed = '';
      const span: RecordedSpan = {
        traceId: above !== null && 'traceId' in above ? above.traceId : traceId,
        headers: { traceparent: `of ${name}` },
        set() {},
        fail(type) {
          failed = ` failed: ${type}`;
        },
        end: () => void told.push(`${name} below ${below}${failed}`),
      };
      names.set(span, name);
      return span;
    },
  };
}

test('the log knows request and trace, side by side and across waits, without a recorder as well', async () => {
  for (const recorder of [null, remember()]) {
    const following = createFollowing();
    const tracer = following.tracer(recorder);
    const work = (requestId: string) =>
      inSpan(tracer, 'request', { parent, requestId }, async () => {
        await new Promise(setImmediate);
        return inSpan(tracer, 'step', {}, () => following.fields());
      });
    assert.deepEqual(await Promise.all([work('r1'), work('r2')]), [
      { trace_id: traceId, request_id: 'r1' },
      { trace_id: traceId, request_id: 'r2' },
    ]);
    assert.deepEqual(following.fields(), {});
  }
});

test('without a recorder the headers of the caller are handed on as they came', () => {
  const tracer = createFollowing().tracer(null);
  const handedOn = (start: Parameters<typeof tracer.begin>[1]) =>
    inSpan(tracer, 'request', start ?? {}, () => inSpan(tracer, 'call', {}, span => span.headers()));
  assert.deepEqual(handedOn({ parent }), parent);
  assert.deepEqual(handedOn({ parent: { ...parent, tracestate: null } }), { traceparent: parent.traceparent });
  assert.deepEqual(handedOn({ parent: { traceparent: null, tracestate: null }, requestId: 'r1' }), {});
  assert.deepEqual(tracer.begin('outside').headers(), {});
});

test('spans are below the one in which they begin, and end with their work, whether it fails or not', async () => {
  const recorder = remember();
  const tracer = createFollowing().tracer(recorder);
  await inSpan(tracer, 'a', { parent }, async () => {
    const late = inSpan(tracer, 'b', {}, async () => {
      await new Promise(setImmediate);
      throw new TypeError('b');
    });
    assert.throws(() =>
      inSpan(tracer, 'c', {}, span => {
        assert.deepEqual(span.headers(), { traceparent: 'of c' });
        throw new RangeError('c');
      }),
    );
    await assert.rejects(late, TypeError);
  });
  inSpan(tracer, 'd', { parent: { traceparent: null, tracestate: null } }, () => {});
  inSpan(tracer, 'outside of any request', {}, span => assert.deepEqual(span.headers(), {}));
  assert.deepEqual(recorder.told, [
    'c below a failed: RangeError',
    'b below a failed: TypeError',
    'a below caller',
    'd below caller',
  ]);
});
