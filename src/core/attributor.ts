import type { AttributionRequest } from '../contract/index.ts';

/** A failed attempt that logs are pushed about. Its id is also that of its session. */
export interface AttributorRecord {
  readonly id: string;
  /** What a read asks the provider. */
  readonly request: AttributionRequest;
}

export interface AttributorRecords {
  /** Saves a record whose session is open. */
  save(record: AttributorRecord): Promise<void>;
  get(id: string): Promise<AttributorRecord | null>;
}
