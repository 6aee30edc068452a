import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOpenapi, openapiDocument, readOpenapi } from '../../src/contract/index.ts';
import type { Draft, Planted } from './planted-differences.ts';
import { at, both, drop, inRequests, post, properties, set } from './planted-differences.ts';

const answer = 'POST /v1/attribution response 200';
const targets = [`${answer} attributions[].target`, `${answer} unattributed_targets[]`];

function atBothTargets(rest: string): readonly string[] {
  return targets.map(path => `${path}${rest}`);
}

const rack = {
  type: 'object',
  required: ['type'],
  properties: { type: { const: 'Rack', type: 'string' } },
};

function eachTarget(plant: (target: Draft) => void): (document: Draft) => void {
  return document => {
    plant(at(document, `${properties('Finding')} target`));
    plant(at(document, `${properties('WorkloadAttributionResponse')} unattributed_targets items`));
  };
}

const inAnswers: readonly Planted[] = [
  {
    name: 'theirs does not know a member of ours',
    side: 'theirs',
    plant: drop(properties('Finding'), 'confidence'),
    found: [`${answer} attributions[].confidence | property | harmless`],
  },
  {
    name: 'theirs refuses a member of ours as unknown',
    side: 'theirs',
    plant: both(
      drop(properties('Finding'), 'confidence'),
      set('components schemas Finding', 'additionalProperties', false),
    ),
    found: [
      `${answer} attributions[] | additional_properties | harmless`,
      `${answer} attributions[].confidence | property | breaking`,
    ],
  },
  {
    name: 'theirs can have a member that ours lacks',
    side: 'theirs',
    plant: set(properties('WorkloadAttributionResponse'), 'advice', { type: 'string' }),
    found: [`${answer} advice | property | breaking`],
  },
  {
    name: 'theirs calls a member of a target otherwise',
    side: 'theirs',
    plant: both(
      drop(properties('NodeTarget'), 'node'),
      set(properties('NodeTarget'), 'name', { type: 'string' }),
      set('components schemas NodeTarget', 'required', ['type', 'name']),
    ),
    found: [
      ...atBothTargets('<Node>.name | property | breaking'),
      ...atBothTargets('<Node>.node | property | harmless'),
    ],
  },
  {
    name: 'ours may leave out what theirs always has',
    side: 'theirs',
    plant: set('components schemas Finding', 'required', [
      'target',
      'error_category',
      'observed_at',
      'confidence',
    ]),
    found: [`${answer} attributions[].confidence | required | breaking`],
  },
  {
    name: 'ours always has what theirs may leave out',
    side: 'theirs',
    plant: set('components schemas Finding', 'required', ['target', 'error_category']),
    found: [`${answer} attributions[].observed_at | required | harmless`],
  },
  {
    name: 'ours can send a value that theirs does not list',
    side: 'theirs',
    plant: set('components schemas ErrorType', 'enum', ['timeout', 'insufficient_telemetry', 'service_error']),
    found: [`${answer} error.type | enum | breaking`],
  },
  {
    name: 'theirs lists a value that ours never sends',
    side: 'ours',
    plant: set('components schemas ErrorType', 'enum', ['timeout', 'insufficient_telemetry', 'service_error']),
    found: [`${answer} error.type | enum | harmless`],
  },
  {
    name: 'theirs has a list where ours sends any string',
    side: 'theirs',
    plant: set(`${properties('Finding')} error_category`, 'enum', ['hardware', 'software']),
    found: [`${answer} attributions[].error_category | enum | breaking`],
  },
  {
    name: 'ours can send null where theirs has none',
    side: 'theirs',
    plant: set(properties('Finding'), 'confidence', { type: 'number', minimum: 0, maximum: 1 }),
    found: [`${answer} attributions[].confidence | nullable | breaking`],
  },
  {
    name: 'theirs can be null where ours is not',
    side: 'theirs',
    plant: set(properties('Finding'), 'observed_at', {
      anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }],
    }),
    found: [`${answer} attributions[].observed_at | nullable | harmless`],
  },
  {
    name: 'theirs has evidence of another type',
    side: 'theirs',
    plant: set(`${properties('Finding')} evidence`, 'items', { type: 'string' }),
    found: [`${answer} attributions[].evidence[] | type | breaking`],
  },
  {
    name: 'theirs reads an integer where ours sends a number',
    side: 'theirs',
    plant: set(properties('Finding'), 'confidence', {
      anyOf: [{ type: 'integer', minimum: 0, maximum: 1 }, { type: 'null' }],
    }),
    found: [`${answer} attributions[].confidence | type | breaking`],
  },
  {
    name: 'theirs has a narrower range',
    side: 'theirs',
    plant: set(properties('Finding'), 'confidence', {
      anyOf: [{ type: 'number', minimum: 0, maximum: 0.5 }, { type: 'null' }],
    }),
    found: [`${answer} attributions[].confidence | bound | breaking`],
  },
  {
    name: 'theirs has no range',
    side: 'theirs',
    plant: set(properties('Finding'), 'confidence', { anyOf: [{ type: 'number' }, { type: 'null' }] }),
    found: [
      `${answer} attributions[].confidence | bound | harmless`,
      `${answer} attributions[].confidence | bound | harmless`,
    ],
  },
  {
    name: 'ours no longer promises a datetime',
    side: 'ours',
    plant: drop(`${properties('Finding')} observed_at`, 'format'),
    found: [`${answer} attributions[].observed_at | format | breaking`],
  },
  {
    name: 'a default of a member that is sent anyway',
    side: 'theirs',
    plant: set(`${properties('AttributionError')} message`, 'default', ''),
    found: [`${answer} error.message | default | harmless`],
  },
  {
    name: 'theirs does not know a kind of target',
    side: 'theirs',
    plant: eachTarget(target => {
      target['oneOf'] = [{ $ref: '#/components/schemas/NodeTarget' }];
      target['discriminator'] = {
        propertyName: 'type',
        mapping: { Node: '#/components/schemas/NodeTarget' },
      };
    }),
    found: atBothTargets(' | discriminator | breaking'),
  },
  {
    name: 'theirs knows one kind of target more',
    side: 'theirs',
    plant: both(
      set('components schemas', 'RackTarget', rack),
      eachTarget(target => {
        (target['oneOf'] as object[]).push({ $ref: '#/components/schemas/RackTarget' });
        at(target, 'discriminator mapping')['Rack'] = '#/components/schemas/RackTarget';
      }),
    ),
    found: atBothTargets(' | discriminator | harmless'),
  },
  {
    name: 'theirs tells targets apart by another property',
    side: 'theirs',
    plant: eachTarget(target => {
      at(target, 'discriminator')['propertyName'] = 'kind';
    }),
    found: atBothTargets(' | discriminator | breaking'),
  },
  {
    name: 'theirs names no discriminator',
    side: 'theirs',
    plant: eachTarget(target => {
      delete target['discriminator'];
    }),
    found: atBothTargets(' | discriminator | harmless'),
  },
  {
    name: 'theirs has a bare string for a target',
    side: 'theirs',
    plant: set(`${properties('WorkloadAttributionResponse')} unattributed_targets`, 'items', {
      type: 'string',
    }),
    found: [
      `${answer} unattributed_targets[] | type | breaking`,
      `${answer} unattributed_targets[] | type | breaking`,
      `${answer} unattributed_targets[] | discriminator | harmless`,
    ],
  },
  {
    name: 'theirs always has a member in its 422 that ours lacks',
    side: 'theirs',
    plant: set(properties('ValidationError'), 'url', { type: 'string' }),
    found: ['POST /v1/attribution response 422 detail[].url | property | breaking'],
  },
];

const inRoutes: readonly Planted[] = [
  {
    name: 'a route that only theirs has',
    side: 'theirs',
    plant: set('paths', '/v1/sessions', { get: { responses: {} } }),
    found: ['/v1/sessions | path | breaking'],
  },
  {
    name: 'a route that only ours has',
    side: 'ours',
    plant: set('paths', '/v1/sessions', { get: { responses: {} } }),
    found: ['/v1/sessions | path | harmless'],
  },
  {
    name: 'an operation that only theirs has',
    side: 'theirs',
    plant: set('paths /v1/attribution', 'get', { responses: {} }),
    found: ['GET /v1/attribution | operation | breaking'],
  },
  {
    name: 'an operation that only ours has',
    side: 'ours',
    plant: set('paths /v1/attribution', 'get', { responses: {} }),
    found: ['GET /v1/attribution | operation | harmless'],
  },
  {
    name: 'another operation id',
    side: 'theirs',
    plant: set(post, 'operationId', 'attribute'),
    found: ['POST /v1/attribution | operation_id | harmless'],
  },
  {
    name: 'a status of success that only theirs has',
    side: 'theirs',
    plant: set(`${post} responses`, '202', { description: 'Accepted' }),
    found: ['POST /v1/attribution response 202 | response | breaking'],
  },
  {
    name: 'a status of success that only ours has',
    side: 'ours',
    plant: set(`${post} responses`, '202', { description: 'Accepted' }),
    found: ['POST /v1/attribution response 202 | response | breaking'],
  },
  {
    name: 'a status of failure that only ours has',
    side: 'ours',
    plant: set(`${post} responses`, '503', { description: 'Busy' }),
    found: ['POST /v1/attribution response 503 | response | harmless'],
  },
  {
    name: 'a status of failure that only theirs has',
    side: 'theirs',
    plant: set(`${post} responses`, '404', { description: 'No such session' }),
    found: ['POST /v1/attribution response 404 | response | harmless'],
  },
  {
    name: 'an answer of a type that callers do not read',
    side: 'ours',
    plant: set(`${post} responses 200 content`, 'text/plain', {}),
    found: [`${answer} | content_type | breaking`],
  },
  {
    name: 'a type of answer that ours never gives',
    side: 'theirs',
    plant: set(`${post} responses 200 content`, 'text/plain', {}),
    found: [`${answer} | content_type | harmless`],
  },
  {
    name: 'ours asks for credentials',
    side: 'ours',
    plant: set(post, 'security', [{ bearer: [] }]),
    found: ['POST /v1/attribution | security | breaking'],
  },
  {
    name: 'theirs asks for credentials',
    side: 'theirs',
    plant: both(document => {
      document['security'] = [{ bearer: [] }];
    }),
    found: ['GET /healthz | security | harmless', 'POST /v1/attribution | security | harmless'],
  },
  {
    name: 'another version of the contract',
    side: 'theirs',
    plant: set('info', 'version', '0.2.0'),
    found: ['info.version | version | harmless'],
  },
  {
    name: 'a reference that leads nowhere',
    side: 'theirs',
    plant: set(properties('WorkloadAttributionRequest'), 'scope', { $ref: '#/components/schemas/Scope' }),
    found: ['POST /v1/attribution request scope | reference | breaking'],
  },
];

/** Other words for the same thing: nothing must be found. */
const sameMeaning: readonly Omit<Planted, 'found' | 'side'>[] = [
  {
    name: 'a reference wrapped in allOf, with a description of its own',
    plant: set(properties('WorkloadAttributionRequest'), 'phase', {
      allOf: [{ $ref: '#/components/schemas/Phase' }],
      description: 'fast, then slow',
    }),
  },
  {
    name: 'a list of types for a union with null',
    plant: set(properties('WorkloadAttributionRequest'), 'continue_session', { type: ['string', 'null'] }),
  },
  {
    name: "OpenAPI 3.0's nullable",
    plant: set(properties('WorkloadAttributionRequest'), 'continue_session', {
      type: 'string',
      nullable: true,
    }),
  },
  {
    name: 'an enumeration in place instead of a component',
    plant: set(properties('WorkloadAttributionRequest'), 'phase', { enum: ['slow', 'fast'] }),
  },
  {
    name: 'an open bound of integers that means the closed one',
    plant: set(properties('WorkloadContext'), 'attempt_index', { type: 'integer', exclusiveMinimum: -1 }),
  },
  {
    name: 'other titles and descriptions',
    plant: both(
      set('components schemas Finding', 'title', 'F'),
      set(`${properties('Finding')} error_category`, 'description', 'why'),
      set(post, 'summary', 'Attribute'),
      set('info', 'title', 'Adapter'),
    ),
  },
  {
    name: 'a component under another name',
    plant: document => {
      const schemas = at(document, 'components schemas');
      schemas['Citation'] = schemas['Evidence'];
      at(document, `${properties('Finding')} evidence`)['items'] = { $ref: '#/components/schemas/Citation' };
    },
  },
];

function compare(side: 'ours' | 'theirs', plant: (document: Draft) => void): readonly string[] {
  const planted = structuredClone(openapiDocument()) as unknown as Draft;
  plant(planted);
  const found =
    side === 'ours' ? diffOpenapi(planted, openapiDocument()) : diffOpenapi(openapiDocument(), planted);
  return found
    .map(({ path, kind, breaking }) => `${path} | ${kind} | ${breaking ? 'breaking' : 'harmless'}`)
    .sort();
}

for (const { name, side, plant, found } of [...inRequests, ...inAnswers, ...inRoutes]) {
  test(`diff: ${name} (planted in ${side})`, () => {
    assert.deepEqual(compare(side, plant), [...found].sort());
  });
}

for (const { name, plant } of sameMeaning) {
  test(`no difference: ${name}`, () => {
    assert.deepEqual(compare('theirs', plant), []);
    assert.deepEqual(compare('ours', plant), []);
  });
}

test('a document does not differ from itself', () => {
  assert.deepEqual(diffOpenapi(openapiDocument(), openapiDocument()), []);
});

test('each difference says in a sentence what it is', () => {
  const planted = structuredClone(openapiDocument()) as unknown as Draft;
  set('components schemas ErrorType', 'enum', ['timeout'])(planted);
  const [first] = diffOpenapi(openapiDocument(), planted);
  assert.equal(first?.says, 'ours can be "insufficient_telemetry", theirs does not list it');
});

test('a parameter of both that one side requires', () => {
  const taking = (required: boolean) => {
    const document = structuredClone(openapiDocument()) as unknown as Draft;
    const parameter = { name: 'x-tenant', in: 'header', required, schema: { type: 'string' } };
    at(document, post)['parameters'] = [parameter];
    return document;
  };
  const kinds = (ours: boolean, theirs: boolean) =>
    diffOpenapi(taking(ours), taking(theirs)).map(({ kind, breaking }) => ({ kind, breaking }));
  assert.deepEqual(kinds(true, false), [{ kind: 'required', breaking: true }]);
  assert.deepEqual(kinds(false, true), [{ kind: 'required', breaking: false }]);
  assert.deepEqual(kinds(true, true), []);
});

test('schemas that refer to themselves are compared once', () => {
  const tree = {
    type: 'object',
    properties: {
      value: { type: 'string' },
      children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
    },
  };
  const numbers = { ...tree, properties: { ...tree.properties, value: { type: 'number' } } };
  const plant = (model: object) => (document: Draft) => {
    at(document, 'components schemas')['Tree'] = model;
    at(document, properties('Finding'))['tree'] = { $ref: '#/components/schemas/Tree' };
  };
  const ours = structuredClone(openapiDocument()) as unknown as Draft;
  const theirs = structuredClone(openapiDocument()) as unknown as Draft;
  plant(tree)(ours);
  plant(numbers)(theirs);
  assert.deepEqual(
    diffOpenapi(ours, theirs).map(({ path, kind }) => `${path} | ${kind}`),
    [`${answer} attributions[].tree.value | type`],
  );
});

test('a document made to be compared for ever is not', () => {
  const widening = Object.fromEntries(
    Array.from({ length: 30 }, (_, level) => [
      `L${level}`,
      {
        type: 'object',
        properties: Object.fromEntries(
          ['a', 'b', 'c'].map(name => [name, { $ref: `#/components/schemas/L${level + 1}` }]),
        ),
      },
    ]),
  );
  const plant = (document: Draft) => {
    Object.assign(at(document, 'components schemas'), widening, { L30: { type: 'string' } });
    at(document, properties('Finding'))['deep'] = { $ref: '#/components/schemas/L0' };
  };
  const ours = structuredClone(openapiDocument()) as unknown as Draft;
  plant(ours);
  assert.deepEqual(
    diffOpenapi(ours, ours).map(({ kind, breaking }) => ({ kind, breaking })),
    [{ kind: 'limit', breaking: true }],
  );
});

test('only an OpenAPI 3 document is taken for one', () => {
  for (const [text, says] of [
    ['{', 'it is no JSON'],
    ['[]', 'it is no JSON object'],
    ['{"swagger":"2.0","paths":{}}', 'its member "openapi" does not begin with "3."'],
    ['{"openapi":"3.1.0"}', 'it has no object "paths"'],
  ] as const) {
    assert.deepEqual(readOpenapi(text), { ok: false, says });
  }
  assert.equal(readOpenapi(JSON.stringify(openapiDocument())).ok, true);
});
