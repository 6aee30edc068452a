import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { post } from '../tests/conformance/example.ts';
import { startOtlpReceiver } from '../tests/support/otlp-receiver.ts';
import { traceTree } from '../tests/support/trace-tree.ts';
import { startTracedService } from '../tests/support/traced-service.ts';

/**
 * `make trace`: a service over a log store and a scheduler is asked about a failed job by a caller that traces; prints
 * the trace that an OTLP receiver got, as a tree below the caller's span.
 */
const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const folder = mkdtempSync(join(tmpdir(), 'attribution-trace-'));
const receiver = await startOtlpReceiver();
const traced = await startTracedService(folder, {
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
});
try {
  const traceparent = `00-${caller.traceId}-${caller.spanId}-01`;
  const { body } = await post(traced.service.url, traced.request, { traceparent });
  await traced.service.stop();
  const spans = receiver.spans.filter(({ traceId }) => traceId === caller.traceId);
  const passedOn = [...traced.loki.requests, ...traced.slurm.requests].filter(({ headers }) =>
    String(headers['traceparent']).includes(caller.traceId),
  );
  console.log(`caller's span ${caller.spanId} of trace ${caller.traceId}`);
  for (const line of traceTree(spans, caller.spanId)) console.log(`  ${line}`);
  console.log(
    `${spans.length} spans; ${passedOn.length} requests to sources carried the trace; ` +
      `named ${body.attributions.map(({ target }) => target.node ?? target.type).join(', ') || 'nobody'}`,
  );
  if (spans.length === 0 || passedOn.length === 0) process.exitCode = 1;
} finally {
  await traced.close();
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
}
