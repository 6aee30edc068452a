import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTracingEnvironment } from './tracing-environment.ts';

const address = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
const usual = { sampler: 'always_on', parentBased: true, ratio: 1 };

test('traces are on where an address or the exporter is named, and off by the words for off', () => {
  for (const off of [
    {},
    { OTEL_SERVICE_NAME: 'a' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { ...address, OTEL_SDK_DISABLED: 'TRUE' },
    { ...address, OTEL_TRACES_EXPORTER: 'none' },
    { ...address, OTEL_TRACES_EXPORTER: 'console' },
  ]) {
    assert.deepEqual(readTracingEnvironment(off), { settings: null, mistakes: [] });
  }
  for (const on of [
    address,
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' },
    { OTEL_TRACES_EXPORTER: 'otlp' },
    { ...address, OTEL_SDK_DISABLED: 'false', OTEL_TRACES_EXPORTER: 'console, otlp' },
  ]) {
    assert.deepEqual(readTracingEnvironment(on), {
      settings: { protocol: 'http/protobuf', sampling: usual, batch: {} },
      mistakes: [],
    });
  }
});

test('the protocol of traces goes before that of all signals, and one that is not spoken is told', () => {
  const read = readTracingEnvironment({
    ...address,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
  });
  assert.equal(read.settings?.protocol, 'http/json');
  const grpc = readTracingEnvironment({ ...address, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
  assert.equal(grpc.settings, null);
  assert.match(grpc.mistakes.join(), /^OTEL_EXPORTER_OTLP_PROTOCOL is grpc: .*http\/protobuf or http\/json/);
});

test('samplers and the queue go by their variables; what they do not know is told and changes nothing', () => {
  const samplingOf = (sampler: string, argument = '') =>
    readTracingEnvironment({
      ...address,
      OTEL_TRACES_SAMPLER: sampler,
      OTEL_TRACES_SAMPLER_ARG: argument,
    });
  assert.deepEqual(samplingOf('always_off').settings?.sampling, {
    ...usual,
    sampler: 'always_off',
    parentBased: false,
  });
  assert.deepEqual(samplingOf('parentbased_traceidratio', '0.25').settings?.sampling, {
    sampler: 'traceidratio',
    parentBased: true,
    ratio: 0.25,
  });
  assert.equal(samplingOf('traceidratio').settings?.sampling.ratio, 1);
  for (const [sampler, argument] of [
    ['jaeger_remote', ''],
    ['traceidratio', '1.5'],
    ['traceidratio', 'many'],
  ] as const) {
    const { settings, mistakes } = samplingOf(sampler, argument);
    assert.equal(settings?.sampling.ratio, 1);
    assert.equal(mistakes.length, 1);
  }
  const queue = readTracingEnvironment({
    ...address,
    OTEL_BSP_MAX_QUEUE_SIZE: '100',
    OTEL_BSP_SCHEDULE_DELAY: '-1',
  });
  assert.deepEqual(queue.settings?.batch, { maxQueueSize: 100 });
  assert.match(queue.mistakes.join(), /^OTEL_BSP_SCHEDULE_DELAY is -1: write a whole number/);
});
