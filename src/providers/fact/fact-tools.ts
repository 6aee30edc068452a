import type { Clock, Log, Source } from '../../core/ports.ts';
import type { Tracer } from '../../core/tracing.ts';
import type { BufferPool } from '../../evidence/buffers.ts';
import type { WindowSettings } from '../rules/windows.ts';
import type { RemoteTools } from './remote.ts';

/** What the provider is handed from outside. */
export interface FactTools extends Pick<RemoteTools, 'random'> {
  readonly sources: readonly Source[];
  readonly buffers: BufferPool;
  readonly windows: WindowSettings;
  readonly clock: Clock;
  readonly log: Log;
  readonly instanceId: string;
  /** Absent where nobody traces. */
  readonly tracer?: Tracer;
}
