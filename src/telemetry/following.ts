import { AsyncLocalStorage } from 'node:async_hooks';
import type { LogFields } from '../core/ports.ts';
import type { OpenSpan, SpanAttributes, SpanStart, TraceHeaders, Tracer } from '../core/tracing.ts';

/** What records spans, where anything does. */
export interface SpanRecorder {
  /** Null parent: the beginning of a trace. */
  begin(
    name: string,
    start: Pick<SpanStart, 'kind' | 'attributes'>,
    parent: RecordedSpan | TraceHeaders | null,
  ): RecordedSpan;
}

export interface RecordedSpan {
  readonly traceId: string;
  readonly headers: Readonly<Record<string, string>>;
  set(attributes: SpanAttributes): void;
  fail(type: string): void;
  end(): void;
}

/** What is known, at any place of the program, of the request that is worked on there. */
interface Followed {
  /** For the log: `request_id` and `trace_id`, as far as there are any. */
  readonly fields: LogFields;
  readonly headers: Readonly<Record<string, string>>;
  readonly span: RecordedSpan | null;
}

/** Knows which request is worked on, whoever does it. */
export interface Following {
  /** Of the request that the caller works on; empty outside of any. */
  fields(): LogFields;
  /** Without a recorder there are no spans: the headers of a request are handed on as they came. */
  tracer(recorder: SpanRecorder | null): Tracer;
}

const nothing: Followed = { fields: {}, headers: {}, span: null };

export function createFollowing(): Following {
  const current = new AsyncLocalStorage<Followed>();
  const here = (): Followed => current.getStore() ?? nothing;
  const follow = (next: Followed) => {
    return <T>(work: () => T): T => current.run(next, work);
  };

  const handOn = ({ parent, requestId }: SpanStart): OpenSpan => {
    const { fields, headers } = here();
    const next = {
      fields: { ...fields, ...(parent === undefined ? {} : traceOf(parent)), ...requestOf(requestId) },
      headers: parent === undefined ? headers : headersOf(parent),
      span: null,
    };
    return { ...unrecorded, headers: () => next.headers, run: follow(next) };
  };
  const unrecorded: OpenSpan = {
    isRecorded: false,
    set() {},
    fail() {},
    headers: () => here().headers,
    run: work => work(),
    end() {},
  };

  const record = (recorder: SpanRecorder, name: string, start: SpanStart): OpenSpan => {
    const { fields, span: active } = here();
    const parent = start.parent ?? active;
    const span = recorder.begin(name, start, parent);
    const { headers, traceId } = span;
    const next = { fields: { ...fields, trace_id: traceId, ...requestOf(start.requestId) }, headers, span };
    return {
      isRecorded: true,
      set: attributes => span.set(attributes),
      fail: type => span.fail(type),
      headers: () => headers,
      run: follow(next),
      end: () => span.end(),
    };
  };

  return {
    fields: () => here().fields,
    tracer: recorder => ({
      begin(name, start = {}) {
        // Outside of any request, as when readiness is looked at, each call would be a trace of its own.
        const isInRequest = start.parent !== undefined || here().span !== null;
        if (recorder !== null && isInRequest) return record(recorder, name, start);
        return start.parent === undefined && start.requestId === undefined ? unrecorded : handOn(start);
      },
    }),
  };
}

function requestOf(requestId: string | undefined): LogFields {
  return requestId === undefined ? {} : { request_id: requestId };
}

function traceOf({ traceparent }: TraceHeaders): LogFields {
  const traceId = traceparent?.split('-')[1];
  return traceId === undefined ? {} : { trace_id: traceId };
}

function headersOf({ traceparent, tracestate }: TraceHeaders): Readonly<Record<string, string>> {
  if (traceparent === null) return {};
  return tracestate === null ? { traceparent } : { traceparent, tracestate };
}
