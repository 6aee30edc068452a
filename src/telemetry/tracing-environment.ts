/** How traces are sampled, by the words of the standard. */
export interface Sampling {
  readonly sampler: 'always_on' | 'always_off' | 'traceidratio';
  /** Whether a caller that has decided is followed. */
  readonly parentBased: boolean;
  /** Share of traces that are kept, 0 to 1. */
  readonly ratio: number;
}

export interface TracingSettings {
  readonly protocol: 'http/json' | 'http/protobuf';
  readonly sampling: Sampling;
  /** Of the queue of ended spans; undefined: the library's own. */
  readonly batch: {
    readonly maxQueueSize?: number;
    readonly maxExportBatchSize?: number;
    readonly scheduledDelayMillis?: number;
    readonly exportTimeoutMillis?: number;
  };
}

export interface TracingEnvironment {
  /** Null: nobody asked for traces, or nobody could get them. */
  readonly settings: TracingSettings | null;
  /** What of it cannot be followed, a sentence each. */
  readonly mistakes: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The `OTEL_*` variables that are ours to read; the exporter reads those of addresses, headers, certificates and
 * time-outs itself, and the resource its names. They are often set for a whole fleet: what is wrong is told and never
 * stops the service.
 */
export function readTracingEnvironment(environment: Environment): TracingEnvironment {
  const value = (name: string): string => environment[name]?.trim() ?? '';
  const mistakes: string[] = [];
  const exporters = value('OTEL_TRACES_EXPORTER')
    .split(',')
    .map(exporter => exporter.trim());
  const hasAddress =
    value('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') !== '' || value('OTEL_EXPORTER_OTLP_ENDPOINT') !== '';
  const isAsked = exporters.includes('otlp') || (exporters[0] === '' && hasAddress);
  if (value('OTEL_SDK_DISABLED').toLowerCase() === 'true' || !isAsked) return { settings: null, mistakes };

  const [name, protocol] = firstSet(environment, [
    'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
    'OTEL_EXPORTER_OTLP_PROTOCOL',
  ]);
  if (protocol !== '' && protocol !== 'http/json' && protocol !== 'http/protobuf') {
    mistakes.push(`${name} is ${protocol}: traces are sent by http/protobuf or http/json, and now not at all`);
    return { settings: null, mistakes };
  }
  const count = (variable: string): number | undefined => {
    const text = value(variable);
    if (text === '') return undefined;
    if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text);
    mistakes.push(`${variable} is ${text}: write a whole number above 0; the usual value holds`);
    return undefined;
  };
  const batch = {
    ...given('maxQueueSize', count('OTEL_BSP_MAX_QUEUE_SIZE')),
    ...given('maxExportBatchSize', count('OTEL_BSP_MAX_EXPORT_BATCH_SIZE')),
    ...given('scheduledDelayMillis', count('OTEL_BSP_SCHEDULE_DELAY')),
    ...given('exportTimeoutMillis', count('OTEL_BSP_EXPORT_TIMEOUT')),
  };
  const sampling = samplingOf(value('OTEL_TRACES_SAMPLER'), value('OTEL_TRACES_SAMPLER_ARG'), mistakes);
  return {
    settings: { protocol: protocol === 'http/json' ? protocol : 'http/protobuf', sampling, batch },
    mistakes,
  };
}

const usualSampling: Sampling = { sampler: 'always_on', parentBased: true, ratio: 1 };

function samplingOf(name: string, argument: string, mistakes: string[]): Sampling {
  if (name === '') return usualSampling;
  const parentBased = name.startsWith('parentbased_');
  const sampler = parentBased ? name.slice('parentbased_'.length) : name;
  if (sampler === 'always_on' || sampler === 'always_off') return { sampler, parentBased, ratio: 1 };
  if (sampler !== 'traceidratio') {
    mistakes.push(`OTEL_TRACES_SAMPLER is ${name}, which is not known here: parentbased_always_on holds`);
    return usualSampling;
  }
  const ratio = /^[01]?(\.[0-9]+)?$/.test(argument) ? Number(argument === '' ? '1' : argument) : Number.NaN;
  if (ratio >= 0 && ratio <= 1) return { sampler, parentBased, ratio };
  mistakes.push(`OTEL_TRACES_SAMPLER_ARG is ${argument}: write a share from 0 to 1; 1 holds`);
  return { sampler, parentBased, ratio: 1 };
}

function firstSet(environment: Environment, names: readonly string[]): readonly [string, string] {
  const name = names.find(each => (environment[each]?.trim() ?? '') !== '') ?? '';
  return [name, environment[name]?.trim() ?? ''];
}

function given<Name extends string>(
  name: Name,
  value: number | undefined,
): { readonly [key in Name]?: number } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [key in Name]?: number });
}
