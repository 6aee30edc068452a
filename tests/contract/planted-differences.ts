/** A document as tests change it. */
export type Draft = { [name: string]: unknown };

/** One difference planted into a copy of the document, on either side. */
export interface Planted {
  readonly name: string;
  readonly side: 'ours' | 'theirs';
  readonly plant: (document: Draft) => void;
  /** Exactly what must be found: `path | kind | breaking` or `path | kind | harmless`. */
  readonly found: readonly string[];
}

/** The object at a place of a draft. */
export function at(document: Draft, place: string): Draft {
  const found = place.split(' ').reduce<unknown>((value, step) => (value as Draft)[step], document);
  return found as Draft;
}

export function set(place: string, name: string, value: unknown): (document: Draft) => void {
  return document => {
    at(document, place)[name] = value;
  };
}

export function drop(place: string, name: string): (document: Draft) => void {
  return document => {
    delete at(document, place)[name];
  };
}

export function both(...plants: readonly ((document: Draft) => void)[]): (document: Draft) => void {
  return document => {
    for (const plant of plants) plant(document);
  };
}

/** Properties of a component. */
export function properties(model: string): string {
  return `components schemas ${model} properties`;
}

export const post = 'paths /v1/attribution post';

const string = { type: 'string' };
const request = 'POST /v1/attribution request';

export const inRequests: readonly Planted[] = [
  {
    name: 'ours requires a member that theirs has as optional',
    side: 'ours',
    plant: set('components schemas WorkloadScope', 'required', ['nodes']),
    found: [`${request} scope.nodes | required | breaking`],
  },
  {
    name: 'theirs requires a member that ours has as optional',
    side: 'theirs',
    plant: set('components schemas WorkloadScope', 'required', ['nodes']),
    found: [`${request} scope.nodes | required | harmless`],
  },
  {
    name: 'ours has a new required member',
    side: 'ours',
    plant: both(
      set(properties('FailureContext'), 'cluster', string),
      set('components schemas FailureContext', 'required', ['detected_at', 'detection_signal', 'cluster']),
    ),
    found: [`${request} failure_context.cluster | property | breaking`],
  },
  {
    name: 'ours has a new optional member',
    side: 'ours',
    plant: set(properties('FailureContext'), 'cluster', string),
    found: [`${request} failure_context.cluster | property | harmless`],
  },
  {
    name: 'theirs has a member that ours ignores',
    side: 'theirs',
    plant: set(properties('WorkloadContext'), 'exit_code', { type: 'integer' }),
    found: [`${request} workload_context.exit_code | property | harmless`],
  },
  {
    name: 'theirs has a member, and ours refuses unknown ones',
    side: 'ours',
    plant: both(
      drop(properties('WorkloadContext'), 'job_end_time'),
      set('components schemas WorkloadContext', 'additionalProperties', false),
    ),
    found: [
      `${request} workload_context | additional_properties | breaking`,
      `${request} workload_context.job_end_time | property | breaking`,
    ],
  },
  {
    name: 'theirs refuses unknown members, ours does not',
    side: 'theirs',
    plant: set('components schemas WorkloadContext', 'additionalProperties', false),
    found: [`${request} workload_context | additional_properties | harmless`],
  },
  {
    name: 'callers may send a value that ours does not list',
    side: 'theirs',
    plant: set('components schemas Phase', 'enum', ['fast', 'slow', 'again']),
    found: [`${request} phase | enum | breaking`],
  },
  {
    name: 'ours lists a value that theirs does not',
    side: 'ours',
    plant: set('components schemas Phase', 'enum', ['fast', 'slow', 'again']),
    found: [`${request} phase | enum | harmless`],
  },
  {
    name: 'theirs takes any string where ours has a list',
    side: 'theirs',
    plant: drop('components schemas Phase', 'enum'),
    found: [`${request} phase | enum | breaking`],
  },
  {
    name: 'theirs has a list where ours takes any string',
    side: 'theirs',
    plant: set(`${properties('FailureContext')} detection_signal`, 'enum', ['crash', 'hang']),
    found: [`${request} failure_context.detection_signal | enum | harmless`],
  },
  {
    name: 'ours has one constant where theirs takes any string',
    side: 'ours',
    plant: set(`${properties('WorkloadAttributionRequest')} schema_version`, 'const', '0.1.0'),
    found: [`${request} schema_version | enum | breaking`],
  },
  {
    name: 'callers may send null, which ours refuses',
    side: 'theirs',
    plant: set(`${properties('WorkloadAttributionRequest')} user_id`, 'type', ['string', 'null']),
    found: [`${request} user_id | nullable | breaking`],
  },
  {
    name: 'ours takes null, which callers do not send',
    side: 'ours',
    plant: set(properties('WorkloadAttributionRequest'), 'workload_id', { anyOf: [string, { type: 'null' }] }),
    found: [`${request} workload_id | nullable | harmless`],
  },
  {
    name: 'callers may send a fraction where ours wants an integer',
    side: 'theirs',
    plant: set(`${properties('WorkloadAttributionRequest')} timeout_ms`, 'type', 'number'),
    found: [`${request} timeout_ms | type | breaking`],
  },
  {
    name: 'ours takes fractions too',
    side: 'ours',
    plant: set(`${properties('WorkloadAttributionRequest')} timeout_ms`, 'type', 'number'),
    found: [`${request} timeout_ms | type | harmless`],
  },
  {
    name: 'another type',
    side: 'theirs',
    plant: set(properties('WorkloadScope'), 'ranks', { type: 'string' }),
    found: [`${request} scope.ranks | type | breaking`],
  },
  {
    name: 'another type of items',
    side: 'theirs',
    plant: set(`${properties('WorkloadScope')} ranks`, 'items', string),
    found: [`${request} scope.ranks[] | type | breaking`],
  },
  {
    name: 'callers may send one type more',
    side: 'theirs',
    plant: set(properties('WorkloadAttributionRequest'), 'workload_id', {
      anyOf: [string, { type: 'integer' }],
    }),
    found: [`${request} workload_id | type | breaking`],
  },
  {
    name: 'ours takes one type more',
    side: 'ours',
    plant: set(properties('WorkloadAttributionRequest'), 'workload_id', {
      anyOf: [string, { type: 'integer' }],
    }),
    found: [`${request} workload_id | variant | harmless`],
  },
  {
    name: 'theirs has no lower bound',
    side: 'theirs',
    plant: drop(`${properties('WorkloadContext')} attempt_index`, 'minimum'),
    found: [`${request} workload_context.attempt_index | bound | breaking`],
  },
  {
    name: 'ours has no lower bound',
    side: 'ours',
    plant: drop(`${properties('WorkloadContext')} attempt_index`, 'minimum'),
    found: [`${request} workload_context.attempt_index | bound | harmless`],
  },
  {
    name: 'ours excludes its lower bound',
    side: 'ours',
    plant: both(
      drop(`${properties('WorkloadContext')} attempt_index`, 'minimum'),
      set(`${properties('WorkloadContext')} attempt_index`, 'exclusiveMinimum', 0),
    ),
    found: [`${request} workload_context.attempt_index | bound | breaking`],
  },
  {
    name: 'theirs takes longer strings',
    side: 'theirs',
    plant: set(`${properties('WorkloadContext')} workflow_id`, 'maxLength', 512),
    found: [`${request} workload_context.workflow_id | bound | breaking`],
  },
  {
    name: 'theirs takes shorter strings only',
    side: 'theirs',
    plant: set(`${properties('WorkloadContext')} workflow_id`, 'maxLength', 64),
    found: [`${request} workload_context.workflow_id | bound | harmless`],
  },
  {
    name: 'ours has a pattern',
    side: 'ours',
    plant: set(`${properties('WorkloadContext')} workflow_id`, 'pattern', '^[a-z]+$'),
    found: [`${request} workload_context.workflow_id | keyword | breaking`],
  },
  {
    name: 'theirs has a pattern',
    side: 'theirs',
    plant: set(`${properties('WorkloadContext')} workflow_id`, 'pattern', '^[a-z]+$'),
    found: [`${request} workload_context.workflow_id | keyword | harmless`],
  },
  {
    name: 'theirs takes any string where ours wants a datetime',
    side: 'theirs',
    plant: drop(`${properties('FailureContext')} detected_at`, 'format'),
    found: [`${request} failure_context.detected_at | format | breaking`],
  },
  {
    name: 'a member left out means something else',
    side: 'theirs',
    plant: set(`${properties('WorkloadAttributionRequest')} user_id`, 'default', 'anonymous'),
    found: [`${request} user_id | default | breaking`],
  },
  {
    name: 'callers may send another content type',
    side: 'theirs',
    plant: set(`${post} requestBody content`, 'application/yaml', {}),
    found: [`${request} | content_type | breaking`],
  },
  {
    name: 'ours takes another content type',
    side: 'ours',
    plant: set(`${post} requestBody content`, 'application/yaml', {}),
    found: [`${request} | content_type | harmless`],
  },
  {
    name: 'ours requires a body that theirs does not',
    side: 'theirs',
    plant: set(`${post} requestBody`, 'required', false),
    found: [`${request} | request_body | breaking`],
  },
  {
    name: 'ours requires a header',
    side: 'ours',
    plant: set(post, 'parameters', [{ name: 'x-tenant', in: 'header', required: true, schema: string }]),
    found: ['POST /v1/attribution header parameter x-tenant | parameter | breaking'],
  },
  {
    name: 'ours takes an optional header, on the whole route',
    side: 'ours',
    plant: set('paths /v1/attribution', 'parameters', [{ name: 'x-tenant', in: 'header', schema: string }]),
    found: ['POST /v1/attribution header parameter x-tenant | parameter | harmless'],
  },
  {
    name: 'theirs takes a query parameter that ours ignores',
    side: 'theirs',
    plant: set(post, 'parameters', [{ name: 'dry', in: 'query', required: true, schema: string }]),
    found: ['POST /v1/attribution query parameter dry | parameter | harmless'],
  },
  {
    name: 'ours takes an optional header by reference',
    side: 'ours',
    plant: document => {
      const parameter = { $ref: '#/components/parameters/Tenant' };
      at(document, 'components')['parameters'] = { Tenant: { name: 'x-tenant', in: 'header', schema: string } };
      at(document, post)['parameters'] = [parameter];
    },
    found: ['POST /v1/attribution header parameter x-tenant | parameter | harmless'],
  },
  {
    name: 'theirs takes more than null',
    side: 'ours',
    plant: set(properties('WorkloadAttributionRequest'), 'continue_session', { type: 'null' }),
    found: [`${request} continue_session | variant | breaking`],
  },
  {
    name: 'ours is put together from parts, one of which requires more',
    side: 'ours',
    plant: document => {
      const schemas = at(document, 'components schemas');
      const more = { properties: { cluster: string }, required: ['cluster'] };
      schemas['Wider'] = { allOf: [{ $ref: '#/components/schemas/FailureContext' }, more] };
      at(document, properties('WorkloadAttributionRequest'))['failure_context'] = {
        $ref: '#/components/schemas/Wider',
      };
    },
    found: [`${request} failure_context.cluster | property | breaking`],
  },
];
