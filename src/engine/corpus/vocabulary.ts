export type { Origin } from '../../core/batch.ts';
export type { Blames, Inhibition, RuleRole, RuleStatus, Strength } from '../../core/symptom.ts';
export type { ErrorCategory } from '../../core/target.ts';

/** The only names a pattern's groups may have. All values are text; units are in the names. */
export const captureNames = [
  // identity
  'xid',
  'sxid',
  'pci',
  'uuid',
  'gpu',
  'device',
  'link',
  'port',
  'switch',
  'registers',
  'unit',
  'severity',
  'intr_info',
  'error_status',
  'reason',
  'action',
  // who speaks
  'host',
  'node',
  'pid',
  'process',
  'rank',
  'local_rank',
  'task',
  'job',
  'step',
  'user',
  'peer',
  'ranks',
  'nodes',
  // collectives
  'sequence',
  'operation',
  'elements',
  'running_ms',
  'timeout_ms',
  'last_enqueued',
  'last_completed',
  'group',
  'world_size',
  // outcomes
  'exit',
  'signal',
  'status',
  'errno',
  'iteration',
  'total',
  'value',
  'count',
  'exception',
  'server',
  'path',
  'step_name',
  'caused_by',
  // when: the date that an entry itself carries, however late it is listed
  'occurred',
] as const;
