import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import { silentLog } from '../../tests/support/silent-log.ts';
import { createFollowing } from './following.ts';
import { openTracing } from './open-tracing.ts';
import { systemClock } from './system-clock.ts';

const parts = () => ({
  following: createFollowing(),
  clock: systemClock,
  log: silentLog,
  packageVersion: '0.0.0',
});

test('nothing of the tracing libraries is loaded before somebody asks for traces', async () => {
  const loaded: string[] = [];
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier.startsWith('@opentelemetry/')) loaded.push(specifier);
      return next(specifier, context);
    },
  });
  try {
    const off = await openTracing({ OTEL_SERVICE_NAME: 'a' }, parts());
    off.tracer.begin('a').end();
    assert.equal(await off.close(1), true);
    assert.equal(loaded.length, 0);
    const on = await openTracing({ OTEL_TRACES_EXPORTER: 'otlp', OTEL_TRACES_SAMPLER: 'always_off' }, parts());
    assert.equal(await on.close(10_000), true);
    assert.ok(loaded.includes('@opentelemetry/sdk-trace'));
  } finally {
    hooks.deregister();
  }
});
