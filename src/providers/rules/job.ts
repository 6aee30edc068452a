import type { AttributionRequest } from '../../contract/index.ts';
import type { Located, NodeIdentity } from '../../core/ports.ts';
import type { Nanos } from '../../core/time.ts';
import { nodeDirectory } from '../../lines/node-names.ts';

/** What is known about the job before its evidence is read. */
export interface JobFacts {
  /** Spelled as in `scope.nodes` where that is given. */
  readonly nodes: readonly NodeIdentity[];
  readonly scopeGiven: boolean;
  readonly jobStart: Nanos | null;
  readonly jobEnd: Nanos | null;
  /** Where what the request did not say comes from, a sentence each. */
  readonly said: readonly string[];
}

/**
 * Joins the request with what the sources located: `scope.nodes` decides, sources add aliases and fill gaps. Whatever
 * the order of sources, the scheduler's list of nodes counts before one of those that logs happen to be about.
 */
export function jobFacts(request: AttributionRequest, located: readonly Located[]): JobFacts {
  const scopeGiven = request.scope.nodes.length > 0;
  const lists = located.filter(entry => entry.nodes.length > 0);
  const naming = lists.find(entry => entry.nodesFrom === 'scheduler') ?? lists[0];
  const timing = located.find(entry => entry.jobEnd !== null || entry.jobStart !== null);
  const said = [scopeGiven ? undefined : naming?.said, timing?.said].filter(sentence => sentence !== undefined);
  return {
    nodes: scopeGiven ? withAliases(request.scope.nodes, located) : (naming?.nodes ?? []),
    scopeGiven,
    jobStart: located.find(entry => entry.jobStart !== null)?.jobStart ?? null,
    jobEnd: request.workloadContext.jobEndTime ?? located.find(entry => entry.jobEnd !== null)?.jobEnd ?? null,
    said: [...new Set(said)],
  };
}

/** Aliases of located nodes go to the one scope node that a name or alias of theirs joins. */
function withAliases(names: readonly string[], located: readonly Located[]): readonly NodeIdentity[] {
  const plain = names.map((name): NodeIdentity => ({ name, aliases: [] }));
  const identities = located.flatMap(entry => entry.nodes);
  if (identities.length === 0) return plain;
  const directory = nodeDirectory(plain);
  const aliases = new Map<string, Set<string>>();
  for (const identity of identities) {
    const spellings = [identity.name, ...identity.aliases];
    const owners = new Set(
      spellings
        .map(spelling => directory.resolve(spelling))
        .flatMap(match => (match.kind === 'one' ? [match.node] : [])),
    );
    const [owner] = owners;
    if (owner === undefined || owners.size > 1) continue;
    const known = aliases.get(owner) ?? new Set();
    for (const spelling of spellings) if (spelling !== owner) known.add(spelling);
    aliases.set(owner, known);
  }
  return names.map(name => ({ name, aliases: [...(aliases.get(name) ?? [])].sort() }));
}
