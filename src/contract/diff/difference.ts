/** One way in which two OpenAPI documents differ. */
export interface Difference {
  /** Where: the operation, then request or response, then the members down to the place. */
  readonly path: string;
  readonly kind: DifferenceKind;
  /** True where a caller built against their document can break with ours. */
  readonly breaking: boolean;
  /** The difference and what follows from it, in one sentence. */
  readonly says: string;
}

export type DifferenceKind =
  | 'additional_properties'
  | 'bound'
  | 'content_type'
  | 'default'
  | 'discriminator'
  | 'enum'
  | 'format'
  | 'keyword'
  | 'limit'
  | 'nullable'
  | 'operation'
  | 'operation_id'
  | 'parameter'
  | 'path'
  | 'property'
  | 'reference'
  | 'request_body'
  | 'required'
  | 'response'
  | 'security'
  | 'type'
  | 'variant'
  | 'version';

/**
 * One body or parameter under comparison. In a request the caller (theirs) sends and ours receives; in a response it
 * is the other way round. A difference breaks where the sender may send what the receiver does not take.
 */
export interface Comparison {
  readonly direction: 'request' | 'response';
  readonly ours: Readonly<Record<string, unknown>>;
  readonly theirs: Readonly<Record<string, unknown>>;
  readonly found: Difference[];
  /** Comparisons of schemas still allowed in this run, and whether one was left out for that. */
  readonly budget: { left: number; spent: boolean };
}

/** The two sides by their part in the exchange. */
export interface Sides<T> {
  readonly sender: T;
  readonly receiver: T;
}

export function sidesOf<T>({ direction }: Comparison, ours: T, theirs: T): Sides<T> {
  return direction === 'request' ? { sender: theirs, receiver: ours } : { sender: ours, receiver: theirs };
}

/** Names of sender and receiver for sentences. */
export function namesOf({ direction }: Comparison): Sides<string> {
  return direction === 'request'
    ? { sender: 'theirs', receiver: 'ours' }
    : { sender: 'ours', receiver: 'theirs' };
}

export function report(
  { found }: Pick<Comparison, 'found'>,
  path: string,
  kind: DifferenceKind,
  breaking: boolean,
  says: string,
): void {
  found.push({ path, kind, breaking, says });
}

/** A value as a sentence quotes it, at most 80 characters long. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
