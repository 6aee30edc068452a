import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openapiDocument } from '../../src/contract/index.ts';
import type { NetworkAddress } from '../../src/http/listen-address.ts';
import {
  createPublicServer,
  defaultPublicServerSettings,
  type PublicServer,
} from '../../src/http/public-server.ts';
import { mutateJson } from '../fuzz/mutate/json.ts';
import { randomOf } from '../fuzz/random.ts';
import { adapterUnderTest, finding, outcome } from '../support/adapter-under-test.ts';
import { exchangeOne, type RawResponse, requestText } from '../support/raw-http.ts';
import { rememberedLog } from '../support/remembered-log.ts';
import { type DocumentSchema, requestsFromSchema, validValue } from './requests-from-schema.ts';

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: DocumentSchema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: DocumentSchema }>> }>
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, DocumentSchema>> };
}

const document = openapiDocument() as unknown as Document;
const ajv = new Ajv2020({ strict: false });
ajv.addFormat(
  'date-time',
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)$/,
);
ajv.addSchema(openapiDocument(), 'openapi');
const path = '/v1/attribution';
const operation = document.paths[path]?.['post'];
assert.ok(operation !== undefined);
const request = operation.requestBody?.content['application/json']?.schema ?? {};

function resolve(schema: DocumentSchema): DocumentSchema {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? schema : resolve(document.components.schemas[name] ?? {});
}

let server: PublicServer;
let address: NetworkAddress;

before(async () => {
  const { adapter } = adapterUnderTest(async () => outcome({ findings: [finding()] }));
  const settings = defaultPublicServerSettings;
  server = createPublicServer({ adapter: async () => adapter, log: rememberedLog(), settings });
  address = await server.listen({ host: '127.0.0.1', port: 0 }, { trustedNetwork: false });
});
after(() => server.close());

/** What FastAPI answers besides what its documents list: each has a detail in words. */
const undocumented = [400, 404, 405, 413];

/** Fails where an answer is none that the document tells of, nor one that every such service gives. */
function assertDocumented({ status, headers, body }: RawResponse, told: Operation, says: string): void {
  const content = told.responses[String(status)]?.content;
  const type = headers['content-type'] ?? '';
  if (content === undefined) {
    assert.ok(undocumented.includes(status), `${says}: ${status} ${body}`);
    const { detail } = JSON.parse(body) as { detail: unknown };
    assert.deepEqual([typeof detail, type], ['string', 'application/json'], says);
    return;
  }
  const schema = content[type]?.schema.$ref;
  assert.ok(schema !== undefined, `${says}: ${type} is not documented`);
  const fits = ajv.getSchema(`openapi${schema}`);
  assert.ok(fits?.(JSON.parse(body)), `${says}: ${JSON.stringify(fits?.errors)} ${body}`);
}

async function post(
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawResponse> {
  const length = String(Buffer.byteLength(body));
  const head = requestText(`POST ${path}`, {
    'content-type': 'application/json',
    'content-length': length,
    ...headers,
  });
  return exchangeOne(address, Buffer.concat([Buffer.from(head), Buffer.from(body)]));
}

describe('every constraint of the request schema, kept and violated', () => {
  for (const { says, body, refused } of requestsFromSchema(request, resolve)) {
    test(says, async () => {
      const answer = await post(JSON.stringify(body));
      assertDocumented(answer, operation, says);
      assert.ok(answer.status === 200 || answer.status === 422, String(answer.status));
      if (refused !== null) assert.equal(answer.status, refused ? 422 : 200, answer.body);
      // What fits the document is never refused.
      const fits = ajv.getSchema('openapi#/components/schemas/WorkloadAttributionRequest');
      if (fits?.(body) === true) assert.equal(answer.status, 200, answer.body);
    });
  }
});

const whole = JSON.stringify(validValue(request, resolve, true));

describe('content types and encodings', () => {
  const cases: readonly (readonly [string, string | Uint8Array, Readonly<Record<string, string>>, number])[] = [
    ['JSON with a charset', whole, { 'content-type': 'application/json; charset=utf-8' }, 200],
    ['a kind of JSON', whole, { 'content-type': 'application/problem+json' }, 200],
    ['JSON in capitals', whole, { 'content-type': 'APPLICATION/JSON' }, 200],
    ['a byte order mark', Buffer.from(`\ufeff${whole}`), {}, 200],
    ['UTF-16', Buffer.from(`\ufeff${whole}`, 'utf16le'), {}, 200],
    ['text', whole, { 'content-type': 'text/plain' }, 422],
    ['a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 422],
    ['no JSON', '{"schema_version":', {}, 422],
    ['nothing', '', {}, 422],
    ['null', 'null', {}, 422],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x80, 0x22]), {}, 400],
  ];
  for (const [says, body, headers, status] of cases) {
    test(says, async () => {
      const answer = await post(body, headers);
      assertDocumented(answer, operation, says);
      assert.equal(answer.status, status, answer.body);
    });
  }
});

describe('methods', () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
  for (const [route, operations] of Object.entries(document.paths)) {
    for (const method of methods) {
      const told = operations[method.toLowerCase()];
      test(`${method} ${route}`, async () => {
        const answer = await exchangeOne(address, requestText(`${method} ${route}`, { 'content-length': '0' }));
        const [other] = Object.values(operations);
        assertDocumented(answer, told ?? other ?? operation, `${method} ${route}`);
        if (told === undefined) assert.equal(answer.status, 405);
      });
    }
  }
});

test('a thousand bodies made of a valid one have answers that the document tells of', async context => {
  const seed = 6;
  context.diagnostic(`seed ${seed}`);
  const values = [validValue(request, resolve, true), validValue(request, resolve, false)];
  const counts = new Map<number, number>();
  for (let run = 0; run < 1_000; run += 1) {
    const random = randomOf(seed, path, run);
    const body = mutateJson(values[run % 2], values[(run + 1) % 2], random);
    const answer = await post(body);
    assertDocumented(answer, operation, `run ${run} of seed ${seed}: ${body.slice(0, 500)}`);
    counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
  }
  context.diagnostic(JSON.stringify(Object.fromEntries(counts)));
  assert.ok((counts.get(200) ?? 0) > 200 && (counts.get(422) ?? 0) > 200, JSON.stringify([...counts]));
});
