import type { ReadResponse } from '../contract/index.ts';
import type { Expected } from './case-folder.ts';

/** What an answer has otherwise than its case expects, each as a sentence; none when it agrees. */
export function compareExpected(response: ReadResponse, expected: Expected): readonly string[] {
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
  ];
}

function different(what: string, got: readonly string[], wanted: readonly string[]): readonly string[] {
  const [gotText, wantedText] = [got, wanted].map(list => [...list].sort().join(', ') || 'none');
  return gotText === wantedText ? [] : [`${what}: ${gotText}, not ${wantedText}`];
}
