import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One stream of an observation, as the dialect has it inside its body text. */
export interface FactStream {
  readonly stream: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [string, string])[];
}

export interface FactObservation {
  readonly attributor: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly streams: readonly FactStream[];
}

type Call = 'create' | 'observe' | 'read';

/** What a test lets the service do instead: a status, a body, or nothing at all for ever. */
export type FactFault = { readonly status?: number; readonly body?: string; readonly hang?: boolean };

export interface FakeFactService {
  readonly url: string;
  readonly created: readonly { readonly workload: Readonly<Record<string, unknown>> }[];
  readonly observations: readonly FactObservation[];
  readonly calls: readonly string[];
  /** `traceparent` of each call, empty where it had none. */
  readonly traceparents: readonly string[];
  /** Set for a while by a test; `times` counts down and then the service is well again. */
  fault(call: Call, fault: FactFault, times?: number): void;
  close(): Promise<void>;
}

export interface FakeFactOptions {
  /** Answer to a read, given what was observed; by default every node whose lines speak of Xid 79. */
  readonly attribute?: (observations: readonly FactObservation[]) => unknown;
  /** What creation answers as the id. */
  readonly id?: string | number;
}

/** A service that speaks as much of the dialect as is public. */
export async function fakeFactService(options: FakeFactOptions = {}): Promise<FakeFactService> {
  const { attribute = blameXid79, id = 7 } = options;
  const created: { workload: Record<string, unknown> }[] = [];
  const observations: FactObservation[] = [];
  const calls: string[] = [];
  const traceparents: string[] = [];
  const faults = new Map<Call, { fault: FactFault; times: number }>();

  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    calls.push(`${request.method} ${request.url}`);
    traceparents.push(String(request.headers['traceparent'] ?? ''));
    const call = callOf(request);
    const planned = call === null ? undefined : faults.get(call);
    if (planned !== undefined && planned.times > 0) {
      planned.times -= 1;
      if (planned.fault.hang === true) return;
      answer(response, planned.fault.status ?? 200, planned.fault.body ?? '{}');
      return;
    }
    if (call === null) return answer(response, 404, '{"detail":"Not Found"}');
    if (call === 'create') {
      created.push(JSON.parse(body) as { workload: Record<string, unknown> });
      return answer(response, 200, JSON.stringify({ attributor_id: id }));
    }
    if (call === 'observe') {
      const sent = JSON.parse(body) as { context: Record<string, unknown>; body: string };
      const streams = JSON.parse(sent.body) as FactStream[];
      observations.push({ attributor: request.url?.split('/')[3] ?? '', context: sent.context, streams });
      return answer(response, 200, JSON.stringify({ observation_id: observations.length }));
    }
    return answer(response, 200, JSON.stringify(attribute(observations)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    created,
    observations,
    calls,
    traceparents,
    fault: (call, fault, times = Number.POSITIVE_INFINITY) => void faults.set(call, { fault, times }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function callOf({ method, url }: IncomingMessage): Call | null {
  if (method === 'POST' && url === '/latest/attributor') return 'create';
  if (method === 'POST' && /^\/latest\/attributor\/[^/]+\/observation$/.test(url ?? '')) return 'observe';
  return method === 'GET' && /^\/latest\/attributor\/[^/]+\/attribution$/.test(url ?? '') ? 'read' : null;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function answer(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

/** Lines of an observation, taken out of their entries. */
export function linesOf({ streams }: FactObservation): readonly string[] {
  return streams.flatMap(({ values }) =>
    values.map(([, entry]) => (JSON.parse(entry) as { body: string }).body),
  );
}

function blameXid79(observations: readonly FactObservation[]): unknown {
  const guilty = observations.flatMap(observation =>
    observation.streams
      .filter(({ stream }) => stream['app'] === 'dmesg')
      .filter(({ values }) => values.some(([, entry]) => /Xid \(PCI:[^)]*\): 79/.test(entry)))
      .map(({ stream }) => stream['hostname']),
  );
  return {
    attributions: [{ type: 'NodeAttribution', node: 'quiet', attributions: [] }, ...new Set(guilty)].map(
      node =>
        typeof node === 'string'
          ? { type: 'NodeAttribution', node, attributions: [{ error_category: 'accelerator_gpu', rank: 1 }] }
          : node,
    ),
  };
}
