import type { Batch } from '../core/batch.ts';
import type { Symptom } from '../core/symptom.ts';

/** Recognition of the batches of one request, in whatever order they arrive. */
export interface Recognition {
  /** Resolves when there is room for more; the batch's buffer is transferred away. */
  submit(batch: Batch): Promise<void>;
  /** Waits for everything submitted and returns the folded symptoms in a stable order. */
  symptoms(): Promise<readonly Symptom[]>;
  /** Frees what the workers hold for this request. */
  end(): void;
}

/** Workers that live as long as the process, each with the compiled corpus. */
export interface RecognitionPool {
  readonly corpusHash: string;
  open(): Recognition;
  /** Set once it can recognise nothing any more. */
  broken(): Error | null;
  close(): Promise<void>;
}
