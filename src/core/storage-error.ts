/** What is wrong with the store, as far as an operator can do something about it. */
export type StorageFault =
  | 'full'
  | 'read_only'
  | 'corrupt'
  | 'locked'
  | 'not_permitted'
  | 'io'
  | 'newer'
  | 'foreign'
  | 'unreachable'
  | 'closed'
  | 'failed';

/** A store that could not do what was asked; nothing of the unit was written. The message carries no stored values. */
export class StorageError extends Error {
  readonly fault: StorageFault;

  constructor(fault: StorageFault, message: string) {
    super(message);
    this.name = 'StorageError';
    this.fault = fault;
  }
}
