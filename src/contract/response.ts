import type { Static } from 'typebox';
import { Type } from 'typebox';
import { datetime, enumeration, nullable, reference } from './schema.ts';
import { errorCategories, errorTypes } from './vocabulary.ts';

/**
 * The models of an answer. The published page names the members of the answer itself, the two kinds of target and the
 * types of error; the shapes of targets, findings and evidence and the names of `service_id` and `service_version`
 * are a reconstruction, and all of it stands in this file.
 */

const NodeTarget = Type.Object(
  {
    type: Type.Literal('Node', { title: 'Type' }),
    node: Type.String({ title: 'Node', description: 'Spelled exactly as in `scope.nodes` of the request.' }),
  },
  { title: 'NodeTarget', description: 'One node.' },
);

const AllJobResourcesTarget = Type.Object(
  { type: Type.Literal('AllJobResources', { title: 'Type' }) },
  { title: 'AllJobResourcesTarget', description: 'The job as a whole: no single node is at fault.' },
);

type Target = Static<typeof NodeTarget> | Static<typeof AllJobResourcesTarget>;

/** FastAPI's form of a union told apart by `type`. */
function target(words: { readonly title?: string; readonly description?: string } = {}) {
  return Type.Unsafe<Target>({
    oneOf: [
      { $ref: '#/components/schemas/NodeTarget' },
      { $ref: '#/components/schemas/AllJobResourcesTarget' },
    ],
    discriminator: {
      propertyName: 'type',
      mapping: {
        Node: '#/components/schemas/NodeTarget',
        AllJobResources: '#/components/schemas/AllJobResourcesTarget',
      },
    },
    ...words,
  });
}

const Evidence = Type.Object(
  {
    kind: Type.String({
      title: 'Kind',
      description:
        'What it is: kernel_log, scheduler, metric, health_check, job_text, history, or note for a remark of the adapter.',
    }),
    source: Type.String({ title: 'Source', description: 'Configured name of the source it was read from.' }),
    observed_at: Type.Optional(
      nullable(datetime(), { title: 'Observed At', description: 'When it was observed.' }),
    ),
    node: Type.Optional(
      nullable(Type.String(), { title: 'Node', description: 'The node it was observed on.' }),
    ),
    message: Type.String({ title: 'Message', description: 'The text as it stands at `reference`.' }),
    reference: Type.Optional(
      nullable(Type.String(), {
        title: 'Reference',
        description: 'Where it stands: `path:line` of a file, or `query @ stamp` of a server. A note has none.',
      }),
    ),
  },
  { title: 'Evidence', description: 'A citation that supports a finding.' },
);

const Finding = Type.Object(
  {
    target: target({ title: 'Target' }),
    error_category: Type.String({
      title: 'Error Category',
      description: `Unless the operator maps them to other words: ${errorCategories.join(', ')}.`,
    }),
    observed_at: datetime({
      title: 'Observed At',
      description: 'Time of the evidence, else of the end of the job, else of the detection.',
    }),
    confidence: Type.Optional(
      nullable(Type.Number({ minimum: 0, maximum: 1 }), {
        title: 'Confidence',
        description: 'Null where it is not calibrated, which says nothing against the finding.',
      }),
    ),
    evidence: Type.Optional(Type.Array(reference<typeof Evidence>('Evidence'), { title: 'Evidence' })),
  },
  {
    title: 'Finding',
    description: 'What failed first, and where. What to do about it is for the caller to decide.',
  },
);

const ErrorType = enumeration(
  errorTypes,
  'ErrorType',
  'Why an answer is empty or incomplete. Data for the caller to read, sent with status 200.',
);

const AttributionError = Type.Object(
  {
    type: reference<typeof ErrorType>('ErrorType'),
    message: Type.String({ title: 'Message', description: 'One sentence for people.' }),
  },
  { title: 'AttributionError', description: 'Why an answer is empty or incomplete.' },
);

export const WorkloadAttributionResponse = Type.Object(
  {
    schema_version: Type.String({ title: 'Schema Version' }),
    service_id: Type.String({ title: 'Service Id', description: 'Which service answered.' }),
    service_version: Type.String({
      title: 'Service Version',
      description: 'Version of the service and of the rules it answered by.',
    }),
    request_id: Type.String({ title: 'Request Id' }),
    attribution_session_id: Type.Optional(
      nullable(Type.String(), {
        title: 'Attribution Session Id',
        description: 'Opaque; to be sent as `continue_session`. Null where no session could be saved.',
      }),
    ),
    attributions: Type.Optional(Type.Array(reference<typeof Finding>('Finding'), { title: 'Attributions' })),
    unattributed_targets: Type.Optional(Type.Array(target(), { title: 'Unattributed Targets' })),
    error: Type.Optional(nullable(reference<typeof AttributionError>('AttributionError'))),
  },
  {
    title: 'WorkloadAttributionResponse',
    description: 'No node is good or bad because of an empty list, a missing confidence or an error.',
  },
);

/** An answer as it goes over the wire. */
export type WorkloadAttributionResponse = Static<typeof WorkloadAttributionResponse>;

/** Every model and enumeration of an answer by its name in the OpenAPI document. */
export const responseModels = {
  AllJobResourcesTarget,
  AttributionError,
  ErrorType,
  Evidence,
  Finding,
  NodeTarget,
  WorkloadAttributionResponse,
} as const;
