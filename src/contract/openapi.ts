import { Type } from 'typebox';
import { requestModels } from './request.ts';
import { responseModels } from './response.ts';
import { schemaVersion } from './vocabulary.ts';

/** A value that JSON.stringify writes as it is. */
export type PlainJson =
  | null
  | boolean
  | number
  | string
  | readonly PlainJson[]
  | { readonly [name: string]: PlainJson };

export interface OpenapiDocument {
  readonly openapi: string;
  readonly info: PlainJson;
  readonly paths: Readonly<Record<string, PlainJson>>;
  readonly components: { readonly schemas: Readonly<Record<string, PlainJson>> };
}

const Health = Type.Object(
  { status: Type.Literal('ok', { title: 'Status' }) },
  { title: 'Health', description: 'The process answers.' },
);

const ValidationError = Type.Object(
  {
    loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), { title: 'Location' }),
    msg: Type.String({ title: 'Message' }),
    type: Type.String({ title: 'Error Type' }),
    input: Type.Optional(Type.Unsafe<unknown>({ title: 'Input' })),
    ctx: Type.Optional(Type.Unsafe<object>({ type: 'object', title: 'Context' })),
  },
  { title: 'ValidationError' },
);

const HTTPValidationError = Type.Object(
  { detail: Type.Optional(Type.Array(toModel('ValidationError'), { title: 'Detail' })) },
  { title: 'HTTPValidationError' },
);

const models = { ...requestModels, ...responseModels, Health, HTTPValidationError, ValidationError };

function toModel(name: string) {
  return Type.Unsafe<unknown>({ $ref: `#/components/schemas/${name}` });
}

function content(name: string) {
  return { 'application/json': { schema: toModel(name) } };
}

const attribution = {
  post: {
    summary: 'Attribution',
    description:
      'Says which node, or the job as a whole, made a workload fail, with the evidence. One phase a request. ' +
      'Problems of processing are told in `error` of a 200.',
    operationId: 'attribution_v1_attribution_post',
    requestBody: { required: true, content: content('WorkloadAttributionRequest') },
    responses: {
      200: { description: 'Successful Response', content: content('WorkloadAttributionResponse') },
      422: { description: 'Validation Error', content: content('HTTPValidationError') },
    },
  },
};

const healthz = {
  get: {
    summary: 'Healthz',
    description: 'Says that the process answers, and nothing about its provider or sources.',
    operationId: 'healthz_healthz_get',
    responses: {
      200: { description: 'Successful Response', content: content('Health') },
    },
  },
};

/**
 * The OpenAPI 3.1 document of the contract, in the form FastAPI would export it: two routes, models by name. Pure: it
 * needs no server, no settings and no provider.
 */
export function openapiDocument(): OpenapiDocument {
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Attribution Adapter',
      description:
        'An independent implementation. The published members of the contract are kept; the parts of an answer ' +
        'that have no published name are a reconstruction.',
      version: schemaVersion,
    },
    paths: { '/v1/attribution': attribution, '/healthz': healthz },
    components: { schemas: models },
  };
  return sortKeys(JSON.parse(JSON.stringify(document))) as unknown as OpenapiDocument;
}

/** The document as it is checked in: keys sorted, two spaces of indentation, a newline at the end. */
export function openapiText(): string {
  return `${JSON.stringify(openapiDocument(), null, 2)}\n`;
}

function sortKeys(value: PlainJson): PlainJson {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortKeys(member)]));
}
