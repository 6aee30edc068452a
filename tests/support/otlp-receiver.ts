import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** A span as OTLP told it. `kind` by its number: 1 internal, 2 server, 3 client. */
export interface ReceivedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: the beginning of a trace. */
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly resource: Readonly<Record<string, string | number | boolean>>;
  readonly startNanos: bigint;
  readonly endNanos: bigint;
  readonly failed: boolean;
}

export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Every request: path, content type and the headers it was sent with. */
  readonly requests: readonly { readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  close(): Promise<void>;
}

/** Takes traces by OTLP over HTTP on loopback and decodes those that come as JSON. `hangs`: it never answers. */
export async function startOtlpReceiver({ hangs = false } = {}): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: { path: string; headers: IncomingMessage['headers'] }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    requests.push({ path: request.url ?? '', headers: request.headers });
    if (hangs) return;
    const body = Buffer.concat(chunks);
    if (request.headers['content-type'] === 'application/json') {
      const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
      spans.push(...spansOf(JSON.parse(text.toString('utf8')) as Export));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Attribute = {
  readonly key: string;
  readonly value: {
    readonly stringValue?: string;
    readonly intValue?: string | number;
    readonly doubleValue?: number;
    readonly boolValue?: boolean;
  };
};

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly kind: number;
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly traceState?: string;
        readonly attributes: readonly Attribute[];
        readonly startTimeUnixNano: string;
        readonly endTimeUnixNano: string;
        readonly status?: { readonly code?: number };
      }[];
    }[];
  }[];
}

const failedStatus = 2;

function spansOf({ resourceSpans }: Export): readonly ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(scope =>
      scope.spans.map(span => ({
        name: span.name,
        kind: span.kind,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        traceState: span.traceState ?? '',
        attributes: plain(span.attributes),
        resource: plain(resource.attributes),
        startNanos: BigInt(span.startTimeUnixNano),
        endNanos: BigInt(span.endTimeUnixNano),
        failed: span.status?.code === failedStatus,
      })),
    ),
  );
}

function plain(attributes: readonly Attribute[]): Readonly<Record<string, string | number | boolean>> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const { stringValue, intValue, doubleValue, boolValue } = value;
      return [
        key,
        stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue ?? '') : Number(intValue)),
      ];
    }),
  );
}
