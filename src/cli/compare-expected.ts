import type { ReadResponse } from '../contract/index.ts';
import type { Symptom } from '../core/symptom.ts';
import type { Consequence, Expected } from './read-case-files.ts';

/**
 * What an answer has otherwise than its case expects, each as a sentence; none when it agrees. What must be told as a
 * consequence is compared where the explained symptoms are at hand.
 */
export function compareExpected(
  response: ReadResponse,
  expected: Expected,
  explained: readonly Symptom[] | null = null,
): readonly string[] {
  const named = response.attributions.flatMap(({ target }) => (target.type === 'Node' ? [target.node] : []));
  const targets = response.attributions.map(({ target }) =>
    target.type === 'Node' ? target.node : target.type,
  );
  const wanted = expected.targets.map(target => (target.type === 'Node' ? (target.node ?? '') : target.type));
  const categories = response.attributions.map(finding => finding.category);
  const error = response.error?.type ?? null;
  return [
    ...different('targets', targets, wanted),
    ...different('categories', categories, expected.categories),
    ...(error === expected.error ? [] : [`error is ${error ?? 'null'}, not ${expected.error ?? 'null'}`]),
    ...expected.mustNotName
      .filter(({ node }) => named.includes(node))
      .map(({ node, because }) => `${node} is named, which must not be: ${because}`),
    ...(explained === null ? [] : expected.consequences.flatMap(each => misexplained(each, explained))),
  ];
}

function misexplained(
  { symptom: name, node, of }: Consequence,
  explained: readonly Symptom[],
): readonly string[] {
  const isCause = (each: Symptom): boolean => of.some(word => isCalled(each, word));
  const causes = new Set(explained.filter(isCause).map(({ id }) => id));
  if (causes.size === 0) return [];
  const free = explained.find(
    each =>
      isCalled(each, name) &&
      (node === undefined || each.node === node) &&
      !(each.role === 'cascade' && causes.has(each.reason?.cause ?? '')),
  );
  const where = node === undefined ? '' : ` on ${node}`;
  return free === undefined ? [] : [`${name}${where} is not told as a consequence of ${of.join(' or ')}`];
}

const isCalled = ({ symptom, code, rule }: Symptom, name: string): boolean =>
  symptom === name || code === name || rule === name;

function different(what: string, got: readonly string[], wanted: readonly string[]): readonly string[] {
  const [gotText, wantedText] = [got, wanted].map(list => [...list].sort().join(', ') || 'none');
  return gotText === wantedText ? [] : [`${what}: ${gotText}, not ${wantedText}`];
}
