import type { LogFields } from '../core/ports.ts';
import { StorageError } from '../core/storage-error.ts';

/** What the log tells of a request that failed: a store's words name file and remedy, those of a bug may hold anything. */
export function failureFields(error: unknown): LogFields {
  const name = error instanceof Error ? error.name : typeof error;
  return error instanceof StorageError ? { error: name, reason: error.message } : { error: name };
}
