import type { Static } from 'typebox';
import { Type } from 'typebox';
import { datetime, enumeration, nullable, reference } from './schema.ts';
import { phases } from './vocabulary.ts';

/** The models of a request, in the order in which errors are listed. Unknown members are ignored at every level. */

const Phase = enumeration(
  phases,
  'Phase',
  'Which pass to run: `fast` when the failure is noticed, `slow` once epilog evidence has been written.',
);

const WorkloadScope = Type.Object(
  {
    nodes: Type.Optional(
      Type.Array(Type.String(), {
        title: 'Nodes',
        description:
          'Nodes of the failed attempt; no other node is ever named. Empty: taken from the evidence.',
      }),
    ),
    ranks: Type.Optional(
      Type.Array(Type.Integer(), { title: 'Ranks', description: 'Ranks in scope; empty means all of them.' }),
    ),
    start_time: Type.Optional(
      nullable(datetime(), {
        title: 'Start Time',
        description: 'Start of the job; with `slow`, of the epilog window. Needs an offset from UTC.',
      }),
    ),
    end_time: Type.Optional(
      nullable(datetime(), {
        title: 'End Time',
        description: 'End of the job or time of the anomaly; with `slow`, of the epilog window.',
      }),
    ),
  },
  { title: 'WorkloadScope', description: 'Where and when to look.' },
);

const FailureContext = Type.Object(
  {
    detected_at: datetime({ title: 'Detected At', description: 'When the failure was noticed.' }),
    detection_signal: Type.String({
      title: 'Detection Signal',
      description: 'How it was noticed. Any word; hangs and stragglers are told from crashes by it.',
    }),
  },
  { title: 'FailureContext', description: 'When and how the failure was noticed.' },
);

/** Canonical as well, which no keyword of JSON Schema says: see `canonicalMembers`. */
const WorkflowId = Type.String({
  title: 'Workflow Id',
  description:
    'Shared by all attempts of one training run. Unicode form C, no control characters, no surrounding white space.',
  minLength: 1,
  maxLength: 256,
});

const WorkloadContext = Type.Object(
  {
    workflow_id: WorkflowId,
    attempt_index: Type.Integer({
      title: 'Attempt Index',
      description: 'Which attempt of the run failed, from 0.',
      minimum: 0,
    }),
    job_end_time: Type.Optional(
      nullable(datetime(), { title: 'Job End Time', description: 'When the job really ended.' }),
    ),
  },
  { title: 'WorkloadContext', description: 'What the workload is part of.' },
);

export const WorkloadAttributionRequest = Type.Object(
  {
    schema_version: Type.String({
      title: 'Schema Version',
      description: 'Version of the contract the caller speaks; any value is accepted.',
    }),
    workload_id: Type.String({ title: 'Workload Id', description: 'Job id at the scheduler.' }),
    scope: reference<typeof WorkloadScope>('WorkloadScope'),
    failure_context: reference<typeof FailureContext>('FailureContext'),
    timeout_ms: Type.Integer({
      title: 'Timeout Ms',
      description: 'Milliseconds until the answer must have gone out; set a time-out of your own all the same.',
    }),
    workload_context: reference<typeof WorkloadContext>('WorkloadContext'),
    phase: reference<typeof Phase>('Phase'),
    continue_session: Type.Optional(
      nullable(Type.String(), {
        title: 'Continue Session',
        description: '`attribution_session_id` of the earlier answer about the same failure.',
      }),
    ),
    user_id: Type.Optional(Type.String({ title: 'User Id', description: 'Whose job it is.', default: '' })),
  },
  { title: 'WorkloadAttributionRequest', description: 'One failed workload, and the pass to run on it.' },
);

export type WorkloadAttributionRequest = Static<typeof WorkloadAttributionRequest>;

/** Every model and enumeration of a request by its name in the OpenAPI document. */
export const requestModels = {
  FailureContext,
  Phase,
  WorkloadAttributionRequest,
  WorkloadContext,
  WorkloadScope,
} as const;

/** Members that must be canonical strings. */
export const canonicalMembers: ReadonlySet<object> = new Set([WorkflowId]);
