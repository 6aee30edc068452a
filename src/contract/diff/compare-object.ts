import type { Plain } from '../plain.ts';
import { isPlain, member, namesOfBoth, plain, strings } from '../plain.ts';
import type { Comparison, Sides } from './difference.ts';
import { namesOf, report } from './difference.ts';

/** Two schemas that stand at one place and are to be compared next. */
export interface Pair extends Sides<unknown> {
  readonly path: string;
}

/** Compares which members objects have, and hands back the schemas of those that both have. */
export function compareObjects(path: string, sides: Sides<Plain>, comparison: Comparison): readonly Pair[] {
  const sent = plain(member(sides.sender, 'properties'));
  const taken = plain(member(sides.receiver, 'properties'));
  const named = namesOfBoth(sent, taken).flatMap(name => {
    const place: Place = { path: join(path, name), name, required: requiredIn(sides, name), comparison };
    if (!Object.hasOwn(taken, name)) return memberOfSenderOnly(place, sent[name], sides.receiver);
    if (!Object.hasOwn(sent, name)) return memberOfReceiverOnly(place, taken[name], sides.sender);
    compareRequired(place);
    return [{ path: place.path, sender: sent[name], receiver: taken[name] }];
  });
  return [...named, ...compareOthers(path, sides, comparison)];
}

interface Place {
  readonly path: string;
  readonly name: string;
  readonly required: Sides<boolean>;
  readonly comparison: Comparison;
}

function requiredIn({ sender, receiver }: Sides<Plain>, name: string): Sides<boolean> {
  const has = (schema: Plain) => strings(member(schema, 'required')).includes(name);
  return { sender: has(sender), receiver: has(receiver) };
}

function memberOfSenderOnly(
  { path, name, comparison }: Place,
  sent: unknown,
  receiver: Plain,
): readonly Pair[] {
  const others = member(receiver, 'additionalProperties');
  const names = namesOf(comparison);
  if (others === false) {
    report(
      comparison,
      path,
      'property',
      true,
      `${names.sender} has ${name}, which ${names.receiver} refuses as unknown`,
    );
    return [];
  }
  report(comparison, path, 'property', false, `only ${names.sender} has ${name}; ${names.receiver} ignores it`);
  return isPlain(others) ? [{ path, sender: sent, receiver: others }] : [];
}

function memberOfReceiverOnly(place: Place, taken: unknown, sender: Plain): readonly Pair[] {
  const { path, name, required, comparison } = place;
  const others = member(sender, 'additionalProperties');
  const pairs = isPlain(others) ? [{ path, sender: others, receiver: taken }] : [];
  if (comparison.direction === 'request') {
    const says = required.receiver
      ? `ours requires ${name}, which callers built against theirs do not send`
      : `ours also takes ${name}, which callers built against theirs leave out`;
    report(comparison, path, 'property', required.receiver, says);
  } else {
    const says = required.receiver ? `theirs always has ${name}` : `theirs can have ${name}`;
    report(
      comparison,
      path,
      'property',
      true,
      `${says}, ours does not: a reader that looks for it finds nothing`,
    );
  }
  return pairs;
}

function compareRequired({ path, name, required, comparison }: Place): void {
  if (required.sender === required.receiver) return;
  const names = namesOf(comparison);
  const says = required.receiver
    ? `${names.receiver} requires ${name}, ${names.sender} may leave it out`
    : `${names.sender} always has ${name}, ${names.receiver} can do without`;
  report(comparison, path, 'required', required.receiver, says);
}

/** Compares what is said of members that have no name in the schema. Saying nothing means that they are ignored. */
function compareOthers(path: string, sides: Sides<Plain>, comparison: Comparison): readonly Pair[] {
  const sent = member(sides.sender, 'additionalProperties') ?? true;
  const taken = member(sides.receiver, 'additionalProperties') ?? true;
  if (isPlain(sent) && isPlain(taken)) return [{ path: `${path}{}`, sender: sent, receiver: taken }];
  const names = namesOf(comparison);
  if (taken === false && sent !== false) {
    const breaking = comparison.direction === 'request' || isPlain(sent);
    const says = `${names.receiver} refuses unknown members, which ${names.sender} does not rule out`;
    report(comparison, path, 'additional_properties', breaking, says);
  } else if (sent === false && taken !== false) {
    const says = `${names.sender} has no unknown members, ${names.receiver} would take them`;
    report(comparison, path, 'additional_properties', false, says);
  }
  return [];
}

function join(path: string, name: string): string {
  return path.endsWith(' ') ? `${path}${name}` : `${path}.${name}`;
}
