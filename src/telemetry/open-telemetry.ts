import {
  createTraceState,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Log } from '../core/ports.ts';
import type { TraceHeaders } from '../core/tracing.ts';
import type { RecordedSpan, SpanRecorder } from './following.ts';
import type { Sampling, TracingSettings } from './tracing-environment.ts';

/** Spans by OpenTelemetry, sent by OTLP in the background. Only this file and the one that loads it know of it. */
export interface OpenTelemetry extends SpanRecorder {
  /** Sends what is left; rejects where that fails. */
  close(): Promise<void>;
}

const longestValue = 512;

export async function openTelemetry(
  settings: TracingSettings,
  { log, packageVersion }: { readonly log: Log; readonly packageVersion: string },
): Promise<OpenTelemetry> {
  const exporter = tellingOfFailures(await exporterOf(settings.protocol), log);
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(
        resourceFromAttributes({ 'service.name': 'attribution-adapter', 'service.version': packageVersion }),
      )
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(settings.sampling),
    spanLimits: { attributeValueLengthLimit: longestValue },
    spanProcessors: [new BatchSpanProcessor({ exporter, ...settings.batch })],
  });
  const tracer = provider.getTracer('attribution-adapter', packageVersion);
  return {
    begin(name, { kind, attributes = {} }, parent) {
      const context = parent === null ? null : contextOf(parent);
      const span = tracer.startSpan(
        name,
        { kind: kindOf(kind), attributes },
        context === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, context),
      );
      const own = span.spanContext();
      let isOpen = true;
      const recorded: Recorded = {
        context: own,
        traceId: own.traceId,
        headers: headersOf(own),
        set: more => void span.setAttributes(more),
        fail(type) {
          span.setAttribute('error.type', type);
          span.setStatus({ code: SpanStatusCode.ERROR });
        },
        end() {
          if (isOpen) span.end();
          isOpen = false;
        },
      };
      return recorded;
    },
    close: () => provider.shutdown(),
  };
}

interface Recorded extends RecordedSpan {
  readonly context: SpanContext;
}

/** Of the parent: one of ours, or the caller's by its headers, which were checked where they came in. */
function contextOf(parent: RecordedSpan | TraceHeaders): SpanContext | null {
  if ('traceId' in parent) return (parent as Recorded).context;
  const { traceparent, tracestate } = parent;
  if (traceparent === null) return null;
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
    ...(tracestate === null ? {} : { traceState: createTraceState(tracestate) }),
  };
}

function headersOf({ traceId, spanId, traceFlags, traceState }: SpanContext): Readonly<Record<string, string>> {
  const traceparent = `00-${traceId}-${spanId}-0${traceFlags & 1}`;
  const tracestate = traceState?.serialize() ?? '';
  return tracestate === '' ? { traceparent } : { traceparent, tracestate };
}

function kindOf(kind: 'server' | 'client' | undefined): SpanKind {
  if (kind === undefined) return SpanKind.INTERNAL;
  return kind === 'server' ? SpanKind.SERVER : SpanKind.CLIENT;
}

function samplerOf({ sampler, parentBased, ratio }: Sampling): Sampler {
  const root =
    sampler === 'always_on'
      ? new AlwaysOnSampler()
      : sampler === 'always_off'
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(ratio);
  return parentBased ? new ParentBasedSampler({ root }) : root;
}

async function exporterOf(protocol: TracingSettings['protocol']): Promise<SpanExporter> {
  if (protocol === 'http/json') {
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
    return new OTLPTraceExporter();
  }
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}

const succeeded = 0;

/** Says once that spans get lost, and once that they arrive again; never what the receiver said, nor where it is. */
function tellingOfFailures(exporter: SpanExporter, log: Log): SpanExporter {
  let arrives = true;
  return {
    export(spans, done) {
      exporter.export(spans, result => {
        const arrived = result.code === succeeded;
        if (arrives && !arrived) {
          const { name = 'unknown' } = result.error ?? {};
          log.warn(
            { error: name },
            'traces do not reach their receiver (OTEL_EXPORTER_OTLP_ENDPOINT) and are lost',
          );
        }
        if (!arrives && arrived) log.info({}, 'traces reach their receiver again');
        arrives = arrived;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush === undefined
      ? {}
      : { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  };
}
