/** W3C trace context of a request: only what is valid, else null. Context for logs and spans, never a credential. */
export interface TraceHeaders {
  readonly traceparent: string | null;
  readonly tracestate: string | null;
}

/** Of a span. No secrets, no excerpts, no `user_id`, no lists of nodes. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  /** Absent: a step inside this process. */
  readonly kind?: 'server' | 'client';
  readonly attributes?: SpanAttributes;
  /** Begins below the caller's span, instead of the one that is active. */
  readonly parent?: TraceHeaders;
  /** The request's, in every line that is logged while the span is active. */
  readonly requestId?: string;
}

/** One step of a request as a trace shows it. */
export interface Span {
  set(attributes: SpanAttributes): void;
  /** What went wrong, in a word: messages quote what was read. */
  fail(type: string): void;
  /** Headers by which a service that is asked goes on with the trace; none where there is no trace. */
  headers(): Readonly<Record<string, string>>;
}

export interface OpenSpan extends Span {
  /** Whether anything is written of it; where not, nobody needs to be told how it ended. */
  readonly isRecorded: boolean;
  /** Spans that begin in here, now or later, are below this one. */
  run<T>(work: () => T): T;
  /** A second time does nothing. */
  end(): void;
}

/** Follows requests through their steps. */
export interface Tracer {
  begin(name: string, start?: SpanStart): OpenSpan;
}

/** What steps do where nobody traces. */
const untraced: OpenSpan = {
  isRecorded: false,
  set() {},
  fail() {},
  headers: () => ({}),
  run: work => work(),
  end() {},
};

export function beginSpan(tracer: Tracer | undefined, name: string, start?: SpanStart): OpenSpan {
  return tracer === undefined ? untraced : tracer.begin(name, start);
}

/** Runs a step as a span, which ends with it; a step that throws or rejects has failed. */
export function inSpan<T>(
  tracer: Tracer | undefined,
  name: string,
  start: SpanStart,
  work: (span: Span) => T,
): T {
  if (tracer === undefined) return work(untraced);
  const span = tracer.begin(name, start);
  if (!span.isRecorded) return span.run(() => work(span));
  const fail = (error: unknown): void => {
    span.fail(error instanceof Error ? error.name : typeof error);
    span.end();
  };
  try {
    const result = span.run(() => work(span));
    if (result instanceof Promise) result.then(() => span.end(), fail);
    else span.end();
    return result;
  } catch (error) {
    fail(error);
    throw error;
  }
}
