import type { Clock, Log } from '../core/ports.ts';
import type { Tracer } from '../core/tracing.ts';
import type { Following } from './following.ts';
import { readTracingEnvironment } from './tracing-environment.ts';

export interface OpenTracing {
  readonly tracer: Tracer;
  /** Sends what is left, within so long; false where that did not do. */
  close(atMostMs: number): Promise<boolean>;
}

interface TracingParts {
  readonly following: Following;
  readonly clock: Clock;
  readonly log: Log;
  readonly packageVersion: string;
}

/** Traces as the `OTEL_*` variables ask for them. Where they do not, no library of it is loaded and nothing is sent. */
export async function openTracing(
  environment: Readonly<Record<string, string | undefined>>,
  { following, clock, log, packageVersion }: TracingParts,
): Promise<OpenTracing> {
  const { settings, mistakes } = readTracingEnvironment(environment);
  for (const says of mistakes) log.warn({}, says);
  if (settings === null) return { tracer: following.tracer(null), close: () => Promise.resolve(true) };
  const { openTelemetry } = await import('./open-telemetry.ts');
  const recorder = await openTelemetry(settings, { log, packageVersion });
  return {
    tracer: following.tracer(recorder),
    close(atMostMs) {
      const late = Promise.withResolvers<boolean>();
      const cancel = clock.after(atMostMs, () => late.resolve(false));
      const closed = recorder.close().then(
        () => true,
        () => true,
      );
      return Promise.race([closed, late.promise]).finally(cancel);
    },
  };
}
