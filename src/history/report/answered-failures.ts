import type { Phase } from '../../contract/index.ts';
import { type ReadAudited, readAuditedAnswer } from '../../contract/index.ts';
import type { AuditEntry, AuditStore } from '../../core/audit.ts';
import type { Nanos } from '../../core/time.ts';

/** Something that was said to be at fault. */
export interface Said {
  /** Null: the job as a whole. */
  readonly node: string | null;
  /** Id and code of the rule that led to it, or the category where the provider tells no rules. */
  readonly rule: string;
}

/** The last that was answered about one failure. */
export interface AnsweredFailure {
  readonly about: string;
  readonly workloadId: string;
  readonly at: Nanos;
  readonly shadow: boolean;
  readonly said: readonly Said[];
}

export interface FailuresAsked {
  readonly from: Nanos;
  /** Null: whichever answered last. */
  readonly phase: Phase | null;
  readonly shadowOnly: boolean;
}

const pageSize = 200;

/** What marks are about: the session that joins the answers of a failure, else the one answer. */
export function subjectOf({ sessionId, requestId }: Pick<AuditEntry, 'sessionId' | 'requestId'>): string {
  return sessionId ?? requestId;
}

/** Failures that were answered since, in the order of their last answers; a page of answers is in memory at a time. */
export async function answeredFailures(
  audit: Pick<AuditStore, 'page'>,
  { from, phase, shadowOnly }: FailuresAsked,
): Promise<readonly AnsweredFailure[]> {
  const failures = new Map<string, AnsweredFailure>();
  let place: Parameters<AuditStore['page']>[0] | null = { at: from, id: 0n };
  while (place !== null) {
    const { entries, next }: Awaited<ReturnType<AuditStore['page']>> = await audit.page(place, pageSize);
    for (const entry of entries) {
      const audited = readAuditedAnswer(entry.body);
      if (audited === null || (shadowOnly && !audited.shadow)) continue;
      if (phase !== null && new Map(audited.about).get('phase') !== phase) continue;
      const about = subjectOf(entry);
      failures.delete(about);
      failures.set(about, failureOf(about, entry, audited));
    }
    place = next;
  }
  return [...failures.values()];
}

function failureOf(about: string, { workloadId, at }: AuditEntry, audited: ReadAudited): AnsweredFailure {
  const said = audited.answer.attributions.map(({ target, category }) => {
    const node = target.type === 'Node' ? target.node : null;
    return { node, rule: ruleOf(node, audited) ?? category };
  });
  return { about, workloadId, at, shadow: audited.shadow, said };
}

/** The rule of the symptom that began it: on the node where one is named, else of the first there is. */
function ruleOf(node: string | null, { explained }: ReadAudited): string | null {
  const initiating = explained.filter(({ role }) => role === 'initiating');
  const found = initiating.find(({ nodes }) => node === null || nodes.includes(node));
  if (found === undefined || found.rule === null) return null;
  return found.code === null ? found.rule : `${found.rule} ${found.code}`;
}
