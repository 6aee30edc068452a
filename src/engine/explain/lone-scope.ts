import type { Observation, Symptom } from '../../core/symptom.ts';
import { isAddress } from '../../lines/node-names.ts';
import type { ReasoningContext } from '../context.ts';

/**
 * The one node whose text all job text is that names no node, or null. Only a request for one node proves a job of one,
 * since evidence may come from one of many; and it proves nothing where the job's own text speaks of another node.
 */
export function loneScope(
  symptoms: readonly Symptom[],
  { scopeGiven, jobNodes }: ReasoningContext,
): string | null {
  const [only, ...others] = scopeGiven ? jobNodes : [];
  if (only === undefined || others.length > 0) return null;
  const own = shortName(only);
  const seen = new Set(symptoms.flatMap(({ node }) => (node === null ? [] : [shortName(node)])));
  const isOther = (word: string): boolean => {
    const name = shortName(word.replace(/[.-]+$/, ''));
    return name !== own && (seen.has(name) || isSpelledLike(name, own));
  };
  const speaksOfOther = ({ text }: Observation): boolean => {
    const label = labelled.exec(text)?.[1];
    if (label !== undefined && shortName(label) !== own) return true;
    return text.split(/[^\w.-]+/).some(isOther);
  };
  const isElsewhere = ({ origin, node, observations }: Symptom): boolean =>
    origin === 'job' && (node === null ? observations.some(speaksOfOther) : node !== only);
  return symptoms.some(isElsewhere) ? null : only;
}

/** `node-02: [rank3]: ...`: what parallel shells and consoles put before the lines of a node. */
const labelled = /^\s{0,6}([A-Za-z][\w.-]{0,254}): {1,4}\[[Rr]ank ?\d/;

const shortName = (name: string): string =>
  (isAddress(name) ? name : (name.split('.')[0] ?? name)).toLowerCase();

/** Whether two names differ in their numbers alone, as those of the machines of one cluster do. */
function isSpelledLike(one: string, other: string): boolean {
  const shape = (name: string): string => name.replace(/\d+/g, '0');
  return /\d/.test(other) && (isAddress(other) || /[a-z]/.test(other)) && shape(one) === shape(other);
}
