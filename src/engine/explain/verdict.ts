import type { CausalRole, ReasonKind, Strength, Symptom } from '../../core/symptom.ts';

/** Gives a symptom its causal role, with the pass that decided and why; `cause` is the id of what explains it. */
export function settle(
  symptom: Symptom,
  role: CausalRole,
  pass: string,
  text: string,
  cause: string | null = null,
): Symptom {
  return { ...symptom, role, reason: { kind: kindOf(role, pass), pass, text, cause } };
}

/** Passes that say of a symptom what its rule says, for want of anything that speaks against it. */
const byRule: ReadonlySet<string> = new Set(['set-aside', 'mark-initiating']);

function kindOf(role: CausalRole, pass: string): ReasonKind {
  if (role === 'cascade') return 'inhibition';
  return byRule.has(pass) ? 'rule' : 'guard';
}

/** Not yet given a role by any pass. */
export const isOpen = (symptom: Symptom): boolean => symptom.reason === null;

const ranks: Readonly<Record<Strength, number>> = { S1: 1, S2: 2, S3: 3, S4: 4, S5: 5, S6: 6 };

/** 1 for S1, the strongest, to 6 for S6. */
export const strengthRank = (symptom: Symptom): number => ranks[symptom.strength];

/** S1 to S3: what may name a node at all. */
export const isStrong = (symptom: Symptom): boolean => strengthRank(symptom) <= 3;

const trust = { kernel: 0, scheduler: 0, exporter: 1, health: 2, job: 3 } as const;

/** Trust follows transport: 0 for kernel and scheduler, 1 exporters, 2 health tools, 3 the job's own text. */
export const originRank = (symptom: Symptom): number => trust[symptom.origin];

/** A symptom as a sentence quotes it: `title on node-03`. */
export function nameOf(symptom: Symptom): string {
  if (symptom.node !== null) return `${symptom.title} on ${symptom.node}`;
  return symptom.rank === null ? symptom.title : `${symptom.title} (rank ${symptom.rank})`;
}
