import type { Comparison, Sides } from './difference.ts';
import { namesOf, report } from './difference.ts';
import type { Shape, Variant } from './shape.ts';
import { constantOf } from './shape.ts';

/** Variants of sender and receiver that are told apart by the same property. */
export interface TaggedPairs {
  readonly pairs: readonly (Sides<Variant> & { readonly tag: string })[];
}

/**
 * Pairs the variants of two unions by the values of a discriminator, where one is named and all variants have one;
 * otherwise null. What the discriminators themselves differ in is reported here.
 */
export function pairByTag(path: string, sides: Sides<Shape>, comparison: Comparison): TaggedPairs | null {
  const { sender, receiver } = sides;
  const property = receiver.discriminator ?? sender.discriminator;
  if (property === null) return null;
  const documents = documentsOf(comparison);
  const sent = tags(sender, property, documents.sender);
  const taken = tags(receiver, property, documents.receiver);
  compareDiscriminators(path, sides, sent !== null, comparison);
  if (sent === null || taken === null) return null;
  const pairs = [...sent].flatMap(([tag, variant]) => {
    const other = taken.get(tag);
    if (other !== undefined) return [{ tag, sender: variant, receiver: other }];
    const names = namesOf(comparison);
    report(
      comparison,
      path,
      'discriminator',
      true,
      `${names.sender} has the kind ${tag}, ${names.receiver} does not`,
    );
    return [];
  });
  for (const tag of taken.keys()) {
    if (sent.has(tag)) continue;
    const names = namesOf(comparison);
    report(comparison, path, 'discriminator', false, `only ${names.receiver} has the kind ${tag}`);
  }
  return { pairs };
}

function documentsOf({ direction, ours, theirs }: Comparison) {
  return direction === 'request' ? { sender: theirs, receiver: ours } : { sender: ours, receiver: theirs };
}

function tags(
  shape: Shape,
  property: string,
  document: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, Variant> | null {
  const found = new Map<string, Variant>();
  for (const variant of shape.variants) {
    const declared = shape.discriminator === property ? variant.tag : null;
    const tag = declared ?? constantOf(variant.schema, property, document);
    if (tag === null) return null;
    found.set(tag, variant);
  }
  return found;
}

function compareDiscriminators(
  path: string,
  { sender, receiver }: Sides<Shape>,
  senderHasTags: boolean,
  comparison: Comparison,
): void {
  if (sender.discriminator === receiver.discriminator) return;
  const names = namesOf(comparison);
  const bySender = sender.discriminator ?? 'nothing';
  const byReceiver = receiver.discriminator ?? 'nothing';
  const breaking = receiver.discriminator !== null && (sender.discriminator !== null || !senderHasTags);
  const says = `kinds are told apart by ${byReceiver} in ${names.receiver} and by ${bySender} in ${names.sender}`;
  report(comparison, path, 'discriminator', breaking, says);
}
