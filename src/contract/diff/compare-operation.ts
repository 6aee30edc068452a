import type { Plain } from '../plain.ts';
import { isPlain, list, member, namesOfBoth, plain, sameJson, text } from '../plain.ts';
import { compareSchemas } from './compare-schema.ts';
import type { Comparison, Difference } from './difference.ts';
import { report } from './difference.ts';
import { follow } from './shape.ts';

/** Two documents under comparison. */
export interface Run {
  readonly ours: Plain;
  readonly theirs: Plain;
  readonly found: Difference[];
  readonly budget: Comparison['budget'];
}

/** One operation as both documents have it; `path` is its method and route. */
export function compareOperations(path: string, ours: Plain, theirs: Plain, run: Run): void {
  const [oursId, theirsId] = [text(member(ours, 'operationId')), text(member(theirs, 'operationId'))];
  if (oursId !== theirsId) {
    const says = `the operation id is ${oursId} in ours and ${theirsId} in theirs: only names in generated code`;
    report(run, path, 'operation_id', false, says);
  }
  compareSecurity(path, ours, theirs, run);
  compareParameters(path, ours, theirs, run);
  compareRequestBodies(`${path} request`, ours, theirs, run);
  compareResponses(path, ours, theirs, run);
}

function comparison(direction: Comparison['direction'], { ours, theirs, found, budget }: Run): Comparison {
  return { direction, ours, theirs, found, budget };
}

/** What must be shown to call: the operation's own list, else the document's; an empty entry lets anyone in. */
function compareSecurity(path: string, ours: Plain, theirs: Plain, run: Run): void {
  const [oursNeeds, theirsNeeds] = [needsOf(ours, run.ours), needsOf(theirs, run.theirs)];
  if (sameJson(oursNeeds, theirsNeeds)) return;
  const breaking = oursNeeds.length > 0;
  const says = breaking
    ? 'ours asks for credentials that theirs does not'
    : 'ours asks for no credentials, theirs does';
  report(run, path, 'security', breaking, says);
}

function needsOf(operation: Plain, document: Plain): readonly unknown[] {
  const needs = list(member(operation, 'security') ?? member(document, 'security'));
  return needs.some(need => isPlain(need) && Object.keys(need).length === 0) ? [] : needs;
}

function compareParameters(path: string, ours: Plain, theirs: Plain, run: Run): void {
  const [oursTakes, theirsTakes] = [parametersOf(ours, run.ours), parametersOf(theirs, run.theirs)];
  for (const [name, parameter] of oursTakes) {
    const other = theirsTakes.get(name);
    const place = `${path} ${name}`;
    const required = member(parameter, 'required') === true;
    if (other === undefined) {
      report(
        run,
        place,
        'parameter',
        required,
        `only ours has this parameter${required ? ', and requires it' : ''}`,
      );
      continue;
    }
    const theirsRequired = member(other, 'required') === true;
    if (required !== theirsRequired) {
      const says = required ? 'ours requires it, theirs does not' : 'theirs requires it, ours does not';
      report(run, place, 'required', required, says);
    }
    compareSchemas(place, member(parameter, 'schema'), member(other, 'schema'), comparison('request', run));
  }
  for (const name of theirsTakes.keys()) {
    if (oursTakes.has(name)) continue;
    report(run, `${path} ${name}`, 'parameter', false, 'only theirs has this parameter; ours ignores it');
  }
}

function parametersOf(operation: Plain, document: Plain): ReadonlyMap<string, Plain> {
  const parameters = list(member(operation, 'parameters')).map(parameter => resolve(parameter, document));
  return new Map(
    parameters.map(parameter => [
      `${text(member(parameter, 'in'))} parameter ${text(member(parameter, 'name'))}`,
      parameter,
    ]),
  );
}

function resolve(value: unknown, document: Plain): Plain {
  const ref = text(member(plain(value), '$ref'));
  return plain(ref === null ? value : follow(ref, document));
}

function compareRequestBodies(path: string, ours: Plain, theirs: Plain, run: Run): void {
  const oursBody = resolve(member(ours, 'requestBody'), run.ours);
  const theirsBody = resolve(member(theirs, 'requestBody'), run.theirs);
  const [oursMedia, theirsMedia] = [plain(member(oursBody, 'content')), plain(member(theirsBody, 'content'))];
  const [oursRequired, theirsRequired] = [oursBody, theirsBody].map(body => member(body, 'required') === true);
  if (oursRequired !== theirsRequired) {
    const says = oursRequired
      ? 'ours requires a body, theirs does not'
      : 'theirs requires a body, ours does not';
    report(run, path, 'request_body', oursRequired === true, says);
  }
  for (const type of namesOfBoth(theirsMedia, oursMedia)) {
    if (!Object.hasOwn(oursMedia, type)) {
      report(run, path, 'content_type', true, `callers may send ${type}, which ours does not take`);
    } else if (!Object.hasOwn(theirsMedia, type)) {
      report(run, path, 'content_type', false, `only ours takes ${type}`);
    } else {
      const [a, b] = [schemaOf(oursMedia, type), schemaOf(theirsMedia, type)];
      compareSchemas(`${path} `, a, b, comparison('request', run));
    }
  }
}

function schemaOf(media: Plain, type: string): unknown {
  return member(plain(member(media, type)), 'schema') ?? {};
}

function compareResponses(path: string, ours: Plain, theirs: Plain, run: Run): void {
  const [oursSends, theirsSends] = [plain(member(ours, 'responses')), plain(member(theirs, 'responses'))];
  for (const status of namesOfBoth(theirsSends, oursSends)) {
    const place = `${path} response ${status}`;
    const good = status.startsWith('2') || status.startsWith('3');
    if (!Object.hasOwn(oursSends, status)) {
      report(
        run,
        place,
        'response',
        good,
        `only theirs answers ${status}${good ? ': callers wait for it' : ''}`,
      );
    } else if (!Object.hasOwn(theirsSends, status)) {
      const says = good ? ', which callers do not expect' : ', which a caller must take as any failure';
      report(run, place, 'response', good, `only ours answers ${status}${says}`);
    } else {
      compareAnswer(place, resolve(oursSends[status], run.ours), resolve(theirsSends[status], run.theirs), run);
    }
  }
}

function compareAnswer(path: string, ours: Plain, theirs: Plain, run: Run): void {
  const [oursMedia, theirsMedia] = [plain(member(ours, 'content')), plain(member(theirs, 'content'))];
  const shared = Object.keys(oursMedia).filter(type => Object.hasOwn(theirsMedia, type));
  for (const type of namesOfBoth(theirsMedia, oursMedia)) {
    if (!Object.hasOwn(oursMedia, type)) {
      const breaking = shared.length === 0;
      report(run, path, 'content_type', breaking, `only theirs answers as ${type}`);
    } else if (!Object.hasOwn(theirsMedia, type)) {
      const says = `ours may answer as ${type}, which callers do not expect`;
      report(run, path, 'content_type', true, says);
    } else {
      const [a, b] = [schemaOf(oursMedia, type), schemaOf(theirsMedia, type)];
      compareSchemas(`${path} `, a, b, comparison('response', run));
    }
  }
}
