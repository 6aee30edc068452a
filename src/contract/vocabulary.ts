/** Nanoseconds since the Unix epoch, UTC. Contract datetimes carry microseconds. */
export type EpochNanos = bigint;

/** Version of the contract this adapter speaks; an answer always carries it, whatever the request said. */
export const schemaVersion = '0.1.0';

/** The closed list of `error_category` (claim 35). A setting maps it to other words on the way out. */
export const errorCategories = [
  'accelerator_gpu',
  'accelerator_memory',
  'accelerator_fabric',
  'pcie',
  'host_memory',
  'host_kernel',
  'host_oom',
  'node_lost',
  'node_configuration',
  'thermal_power',
  'network_fabric',
  'storage_local',
  'storage_shared',
  'container_runtime',
  'scheduler',
  'application_error',
  'application_oom',
  'application_numerics',
  'data_or_checkpoint',
  'collective_timeout',
  'unknown',
] as const;
export type ErrorCategory = (typeof errorCategories)[number];

/** The values of `error.type` (claim 38). */
export const errorTypes = [
  'timeout',
  'insufficient_telemetry',
  'service_error',
  'no_attribution_available',
] as const;
export type ErrorType = (typeof errorTypes)[number];

export const phases = ['fast', 'slow'] as const;
export type Phase = (typeof phases)[number];

/** A parsed request, as the rest of the program sees it. */
export interface AttributionRequest {
  readonly schemaVersion: string;
  readonly workloadId: string;
  readonly scope: {
    /** Duplicates kept once, empty strings dropped, spelled as given. */
    readonly nodes: readonly string[];
    readonly ranks: readonly number[];
    readonly startTime: EpochNanos | null;
    readonly endTime: EpochNanos | null;
  };
  readonly failureContext: { readonly detectedAt: EpochNanos; readonly detectionSignal: string };
  /** As sent; integers beyond the safe range are clamped to it. */
  readonly timeoutMs: number;
  readonly workloadContext: {
    readonly workflowId: string;
    readonly attemptIndex: number;
    readonly jobEndTime: EpochNanos | null;
  };
  readonly phase: Phase;
  readonly continueSession: string | null;
  readonly userId: string;
}
