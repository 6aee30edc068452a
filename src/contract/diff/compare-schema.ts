import type { Plain } from '../plain.ts';
import { member, sameJson } from '../plain.ts';
import { compareBounds } from './bounds.ts';
import type { Pair } from './compare-object.ts';
import { compareObjects } from './compare-object.ts';
import { pairByTag } from './compare-union.ts';
import type { Comparison, Sides } from './difference.ts';
import { namesOf, quote, report, sidesOf } from './difference.ts';
import type { Shape, Variant } from './shape.ts';
import { shapeOf } from './shape.ts';

const maxDepth = 100;

/** Pairs of named schemas that the comparison is inside of; a pair that comes again is compared already. */
type Trail = readonly string[];

/** Compares the schemas of one body or parameter, down to the last member. */
export function compareSchemas(path: string, ours: unknown, theirs: unknown, comparison: Comparison): void {
  compare({ path, ...sidesOf(comparison, ours, theirs) }, comparison, []);
}

function compare({ path, sender, receiver }: Pair, comparison: Comparison, trail: Trail): void {
  if (!spend(comparison, trail)) return;
  const documents = sidesOf<Plain>(comparison, comparison.ours, comparison.theirs);
  const shapes = {
    sender: shapeOf(sender, documents.sender),
    receiver: shapeOf(receiver, documents.receiver),
  };
  if (reportDangling(path, shapes, comparison)) return;
  compareNullability(path, shapes, comparison);
  compareDefaults(path, shapes, comparison);
  compareVariants(path, shapes, comparison, trail);
}

function spend({ budget }: Comparison, trail: Trail): boolean {
  if (budget.left > 0 && trail.length < maxDepth) {
    budget.left -= 1;
    return true;
  }
  budget.spent = true;
  return false;
}

function reportDangling(path: string, shapes: Sides<Shape>, comparison: Comparison): boolean {
  const names = namesOf(comparison);
  const found = [
    ...shapes.sender.dangling.map(ref => `${names.sender} refers to ${quote(ref)}`),
    ...shapes.receiver.dangling.map(ref => `${names.receiver} refers to ${quote(ref)}`),
  ];
  for (const what of found) {
    report(comparison, path, 'reference', true, `${what}, which leads nowhere: this place cannot be compared`);
  }
  return found.length > 0;
}

function compareNullability(path: string, { sender, receiver }: Sides<Shape>, comparison: Comparison): void {
  if (sender.nullable === receiver.nullable) return;
  const names = namesOf(comparison);
  const says = sender.nullable
    ? `${names.sender} can be null, ${names.receiver} cannot`
    : `${names.receiver} can be null, ${names.sender} cannot`;
  report(comparison, path, 'nullable', sender.nullable, says);
}

/** Only in a request does a default decide what is meant; FastAPI prints none for null and for lists. */
function compareDefaults(path: string, { sender, receiver }: Sides<Shape>, comparison: Comparison): void {
  if (sameJson(sender.absent, receiver.absent)) return;
  const bothSay = sender.absent !== undefined && receiver.absent !== undefined;
  const names = namesOf(comparison);
  const says =
    `the default is ${quote(receiver.absent)} in ${names.receiver} and ${quote(sender.absent)} in ${names.sender}` +
    (bothSay && comparison.direction === 'request' ? ': leaving it out means something else' : '');
  report(comparison, path, 'default', bothSay && comparison.direction === 'request', says);
}

function compareVariants(path: string, shapes: Sides<Shape>, comparison: Comparison, trail: Trail): void {
  const { sender, receiver } = shapes;
  const tagged = pairByTag(path, shapes, comparison);
  if (tagged !== null) {
    for (const { tag, ...sides } of tagged.pairs) compareVariant(`${path}<${tag}>`, sides, comparison, trail);
    return;
  }
  const matched = new Set<Variant>();
  for (const variant of sender.variants) {
    const best = bestMatch(path, variant, receiver.variants, comparison, trail);
    if (best === null) {
      const names = namesOf(comparison);
      report(
        comparison,
        path,
        'variant',
        true,
        `${names.receiver} can only be null, ${names.sender} can be more`,
      );
    } else {
      matched.add(best.variant);
      comparison.found.push(...best.found);
    }
  }
  for (const variant of receiver.variants) {
    if (matched.has(variant) || sender.variants.length === 0) continue;
    report(
      comparison,
      path,
      'variant',
      false,
      `only ${namesOf(comparison).receiver} can be ${describe(variant)}`,
    );
  }
}

/** The receiver's variant that breaks least for a variant of the sender, with the differences between the two. */
function bestMatch(
  path: string,
  sender: Variant,
  candidates: readonly Variant[],
  comparison: Comparison,
  trail: Trail,
) {
  const tried = candidates.map(variant => {
    const attempt: Comparison = { ...comparison, found: [] };
    compareVariant(path, { sender, receiver: variant }, attempt, trail);
    return { variant, found: attempt.found, breaks: attempt.found.filter(({ breaking }) => breaking).length };
  });
  const closest = tried.sort((a, b) => a.breaks - b.breaks || a.found.length - b.found.length)[0];
  return closest ?? null;
}

function compareVariant(path: string, sides: Sides<Variant>, comparison: Comparison, trail: Trail): void {
  const { sender, receiver } = sides;
  const step = `${sender.name ?? ''}|${receiver.name ?? ''}`;
  if (sender.name !== null && receiver.name !== null && trail.includes(step)) return;
  if (!compareTypes(path, sides, comparison)) return;
  compareValues(path, sides, comparison);
  const schemas = { sender: sender.schema, receiver: receiver.schema };
  compareBounds(path, sender.type, schemas, comparison);
  const pairs =
    sender.type === 'object' ? compareObjects(path, schemas, comparison) : itemsOf(path, sender, receiver);
  for (const pair of pairs) compare(pair, comparison, [...trail, step]);
}

function itemsOf(path: string, sender: Variant, receiver: Variant): readonly Pair[] {
  if (sender.type !== 'array') return [];
  const [sent, taken] = [member(sender.schema, 'items'), member(receiver.schema, 'items')];
  return [{ path: `${path}[]`, sender: sent ?? {}, receiver: taken ?? {} }];
}

/** Whether there is more to compare. */
function compareTypes(path: string, { sender, receiver }: Sides<Variant>, comparison: Comparison): boolean {
  if (sender.type === receiver.type) return true;
  const fits = receiver.type === null || (sender.type === 'integer' && receiver.type === 'number');
  const names = namesOf(comparison);
  const says = `${names.receiver} takes ${describe(receiver)}, ${names.sender} has ${describe(sender)}`;
  report(comparison, path, 'type', !fits, says);
  return sender.type === 'integer' && receiver.type === 'number';
}

function describe({ name, type }: Variant): string {
  return name ?? type ?? 'anything';
}

function compareValues(path: string, { sender, receiver }: Sides<Variant>, comparison: Comparison): void {
  const names = namesOf(comparison);
  if (sender.values === null && receiver.values === null) return;
  if (sender.values === null || receiver.values === null) {
    const says =
      receiver.values === null
        ? `${names.receiver} takes any value, ${names.sender} has a list of them`
        : `${names.receiver} has a list of values, ${names.sender} may have others`;
    report(comparison, path, 'enum', receiver.values !== null, says);
    return;
  }
  for (const value of without(sender.values, receiver.values)) {
    report(
      comparison,
      path,
      'enum',
      true,
      `${names.sender} can be ${quote(value)}, ${names.receiver} does not list it`,
    );
  }
  for (const value of without(receiver.values, sender.values)) {
    report(comparison, path, 'enum', false, `only ${names.receiver} lists ${quote(value)}`);
  }
}

function without(values: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
  return values.filter(value => !others.some(other => sameJson(value, other)));
}
