import type { Observation, Symptom } from '../../core/symptom.ts';
import type { NodeDirectory, NodeMatch } from '../../lines/node-names.ts';
import { namesApart } from '../../lines/undoubted-names.ts';
import type { Pass } from '../context.ts';
import { settle } from './verdict.ts';

const name = 'join-nodes';

/**
 * Spells host names as the request does. A name that could be two of the job's nodes joins neither: its symptom keeps
 * no node and, where it would blame one, says so. Full names of two domains are of two machines, and the job's is not
 * known among them. Unknown names stay as they are, for `outside-scope` to judge.
 */
export const joinNodes: Pass = {
  name,
  run(symptoms, context) {
    const known = new Map<string, NodeMatch>();
    const resolve = (raw: string): NodeMatch => {
      const match = known.get(raw) ?? context.nodes.resolve(raw);
      known.set(raw, match);
      return match;
    };
    for (const raw of apartIn(symptoms, resolve)) known.set(raw, { kind: 'none' });
    return symptoms.map(symptom => join(symptom, { resolve }));
  },
};

function apartIn(symptoms: readonly Symptom[], resolve: (raw: string) => NodeMatch): ReadonlySet<string> {
  const joined = new Map<string, string>();
  for (const { node } of symptoms) {
    const match = node === null ? null : resolve(node);
    if (node !== null && match?.kind === 'one') joined.set(node, match.node);
  }
  return namesApart(joined);
}

function join(symptom: Symptom, nodes: Pick<NodeDirectory, 'resolve'>): Symptom {
  const observations = symptom.observations.map(observation => joinObservation(observation, nodes));
  if (symptom.node === null) return { ...symptom, observations };
  const match = nodes.resolve(symptom.node);
  if (match.kind === 'none') return { ...symptom, observations };
  if (match.kind === 'one') return { ...symptom, node: match.node, observations };
  const homeless = { ...symptom, node: null, observations };
  if (symptom.blames !== 'node') return homeless;
  const candidates = match.candidates.slice(0, 4).join(' or ');
  return settle(
    homeless,
    'unknown',
    name,
    `the host name ${symptom.node} may mean ${candidates}; joined to none`,
  );
}

function joinObservation(observation: Observation, nodes: Pick<NodeDirectory, 'resolve'>): Observation {
  if (observation.node === null) return observation;
  const match = nodes.resolve(observation.node);
  if (match.kind === 'none') return observation;
  return { ...observation, node: match.kind === 'one' ? match.node : null };
}
