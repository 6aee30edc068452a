import type { AttributionRequest } from '../contract/index.ts';
import type { PushedObservation } from './pushed.ts';

/** A failed attempt that logs are pushed about. Its id is also that of its session. */
export interface AttributorRecord {
  readonly id: string;
  /** Whose it is: to others it is unknown. Null while callers are not authenticated. */
  readonly caller: string | null;
  /** What a read asks the provider. */
  readonly request: AttributionRequest;
}

export interface AttributorRecords {
  /** Saves a record whose session is open. */
  save(record: AttributorRecord): Promise<void>;
  get(id: string): Promise<AttributorRecord | null>;
  /** Keeps observations as long as the record, so that lines of them can be opened again. */
  keep(id: string, observations: readonly PushedObservation[]): Promise<void>;
  /** The bytes of one that was kept, as they were handed in. */
  kept(id: string, observation: string): Promise<Uint8Array | null>;
}
