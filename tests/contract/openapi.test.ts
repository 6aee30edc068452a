import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  type AttributionResponse,
  openapiDocument,
  openapiText,
  renderResponse,
} from '../../src/contract/index.ts';

const root = resolve(import.meta.dirname, '../..');

interface Schema {
  readonly title?: string;
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

const document: unknown = JSON.parse(openapiText());
const schemas = at('components', 'schemas') as Record<string, Schema>;

/** The value at a place of the document; undefined where there is none. */
function at(...steps: readonly string[]): unknown {
  return steps.reduce<unknown>(
    (value, step) => (value as Record<string, unknown> | undefined)?.[step],
    document,
  );
}

function schemaAt(...steps: readonly string[]): unknown {
  return at('components', 'schemas', ...steps);
}

test('the checked-in document is the one the models give (make generate writes it)', () => {
  assert.equal(readFileSync(join(root, 'api/openapi.json'), 'utf8'), openapiText());
});

test('it is exported anew each time', () => {
  const first = openapiDocument().components.schemas as Record<string, unknown>;
  first['Finding'] = null;
  assert.notEqual(openapiDocument().components.schemas['Finding'], null);
});

test('it is OpenAPI 3.1.0 with two routes', () => {
  assert.equal(at('openapi'), '3.1.0');
  assert.equal(at('info', 'version'), '0.1.0');
  assert.deepEqual(Object.keys(at('paths') as object), ['/healthz', '/v1/attribution']);
  assert.deepEqual(Object.keys(at('paths', '/v1/attribution') as object), ['post']);
  assert.deepEqual(Object.keys(at('paths', '/healthz') as object), ['get']);
});

test('operations are called what FastAPI calls them', () => {
  assert.equal(at('paths', '/v1/attribution', 'post', 'operationId'), 'attribution_v1_attribution_post');
  assert.equal(at('paths', '/v1/attribution', 'post', 'summary'), 'Attribution');
  assert.equal(at('paths', '/healthz', 'get', 'operationId'), 'healthz_healthz_get');
  assert.equal(at('paths', '/healthz', 'get', 'summary'), 'Healthz');
});

test('bodies are described as FastAPI describes them', () => {
  const post = ['paths', '/v1/attribution', 'post'] as const;
  const json = (name: string) => ({
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
  });
  assert.deepEqual(at(...post, 'requestBody'), { ...json('WorkloadAttributionRequest'), required: true });
  assert.deepEqual(at(...post, 'responses'), {
    200: { ...json('WorkloadAttributionResponse'), description: 'Successful Response' },
    422: { ...json('HTTPValidationError'), description: 'Validation Error' },
  });
  assert.deepEqual(Object.keys(at('paths', '/healthz', 'get', 'responses') as object), ['200']);
});

test('the 422 components are those of FastAPI', () => {
  assert.deepEqual(schemaAt('ValidationError'), {
    properties: {
      ctx: { title: 'Context', type: 'object' },
      input: { title: 'Input' },
      loc: { items: { anyOf: [{ type: 'string' }, { type: 'integer' }] }, title: 'Location', type: 'array' },
      msg: { title: 'Message', type: 'string' },
      type: { title: 'Error Type', type: 'string' },
    },
    required: ['loc', 'msg', 'type'],
    title: 'ValidationError',
    type: 'object',
  });
  assert.deepEqual(schemaAt('HTTPValidationError'), {
    properties: {
      detail: { items: { $ref: '#/components/schemas/ValidationError' }, title: 'Detail', type: 'array' },
    },
    title: 'HTTPValidationError',
    type: 'object',
  });
});

test('what a request must have', () => {
  assert.deepEqual(schemaAt('WorkloadAttributionRequest', 'required'), [
    'schema_version',
    'workload_id',
    'scope',
    'failure_context',
    'timeout_ms',
    'workload_context',
    'phase',
  ]);
  assert.deepEqual(schemaAt('FailureContext', 'required'), ['detected_at', 'detection_signal']);
  assert.deepEqual(schemaAt('WorkloadContext', 'required'), ['workflow_id', 'attempt_index']);
  assert.equal(schemaAt('WorkloadScope', 'required'), undefined);
  assert.equal(schemaAt('WorkloadAttributionRequest', 'properties', 'user_id', 'default'), '');
  assert.deepEqual(schemaAt('Phase', 'enum'), ['fast', 'slow']);
});

test('what an answer always has', () => {
  assert.deepEqual(schemaAt('WorkloadAttributionResponse', 'required'), [
    'schema_version',
    'service_id',
    'service_version',
    'request_id',
  ]);
  assert.deepEqual(schemaAt('Finding', 'properties', 'target', 'discriminator'), {
    propertyName: 'type',
    mapping: {
      AllJobResources: '#/components/schemas/AllJobResourcesTarget',
      Node: '#/components/schemas/NodeTarget',
    },
  });
});

function visit(value: unknown, see: (object: Record<string, unknown>, path: string) => void, path = '#'): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) see(value as Record<string, unknown>, path);
  for (const [name, member] of Object.entries(value)) visit(member, see, `${path}/${name}`);
}

test('no object refuses unknown members', () => {
  visit(document, (object, path) => assert.notEqual(object['additionalProperties'], false, path));
});

test('every reference leads to a component, every component is referred to', () => {
  const referred = new Set<string>();
  visit(document, ({ $ref }) => {
    if (typeof $ref === 'string') referred.add($ref.replace('#/components/schemas/', ''));
  });
  assert.deepEqual([...referred].sort(), Object.keys(schemas));
});

test('titles are the names in title case, and references have none', () => {
  const own = Object.entries(schemas).filter(([name]) => !name.endsWith('ValidationError'));
  for (const [name, schema] of own) {
    assert.equal(schema.title, name);
    for (const [member, property] of Object.entries(schema.properties ?? {})) {
      const words = member.split('_').map(word => word.charAt(0).toUpperCase() + word.slice(1));
      const refers = [property, ...(property.anyOf ?? [])].some(part => part.$ref !== undefined);
      assert.equal(property.title, refers ? undefined : words.join(' '), `${name}.${member}`);
    }
  }
});

test('keys are sorted at every level', () => {
  visit(document, (object, path) => {
    const keys = Object.keys(object).filter(key => !/^\d+$/.test(key));
    assert.deepEqual(keys, [...keys].sort(), path);
  });
});

test('answers that are sent fit the document', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(openapiDocument(), 'openapi');
  const check = ajv.getSchema('openapi#/components/schemas/WorkloadAttributionResponse');
  const answer: AttributionResponse = {
    serviceId: 'attribution-adapter',
    serviceVersion: '0.1.0',
    requestId: 'r-1',
    attributionSessionId: null,
    attributions: [
      {
        target: { type: 'Node', node: 'node-01' },
        category: 'node_lost',
        observedAt: 0n,
        confidence: 0.5,
        evidence: [
          { kind: 'note', source: 'adapter', observedAt: null, node: null, message: '', reference: null },
        ],
      },
    ],
    unattributedTargets: [{ type: 'AllJobResources' }],
    error: { type: 'service_error', message: 'x' },
  };
  assert.ok(check !== undefined);
  assert.ok(check(JSON.parse(renderResponse(answer))), JSON.stringify(check.errors));
  assert.ok(!check({ ...JSON.parse(renderResponse(answer)), request_id: 3 }));
});
