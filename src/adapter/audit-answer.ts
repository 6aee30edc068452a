import { hash } from 'node:crypto';
import {
  type AttributionRequest,
  type AttributionResponse,
  type ExplainedKind,
  type RenderOptions,
  renderAuditedAnswer,
} from '../contract/index.ts';
import type { AuditEntry } from '../core/audit.ts';
import type { Outcome } from '../core/outcome.ts';
import type { SessionPart } from '../core/session.ts';
import type { Symptom } from '../core/symptom.ts';
import type { Nanos } from '../core/time.ts';
import { redactCoverage } from './redact-coverage.ts';
import { resultOf } from './result.ts';

/** What an entry of the audit is made from. */
export interface AnswerToAudit {
  readonly request: AttributionRequest;
  /** The request as `renderRequest` writes it. */
  readonly requestText: string;
  readonly outcome: Outcome;
  readonly response: AttributionResponse;
  /** What the provider kept with the session; null where it kept nothing. */
  readonly kept: SessionPart | null;
  readonly at: Nanos;
  readonly provider: { readonly kind: string; readonly corpusHash: string | null };
  readonly redact: (text: string) => string;
  readonly render: RenderOptions;
  /** Whether the caller was not told. */
  readonly shadow: boolean;
}

export function auditEntry(answer: AnswerToAudit): AuditEntry {
  const { request, requestText, outcome, response, kept, at, provider, redact, render, shadow } = answer;
  const document = renderAuditedAnswer(
    {
      at,
      shadow,
      phase: request.phase,
      workloadId: request.workloadId,
      ...request.workloadContext,
      result: resultOf(outcome),
      provider: provider.kind,
      corpusHash: kept?.corpusHash ?? provider.corpusHash,
      requestHash: sha256(requestText),
      evidenceHash: kept === null ? null : sha256(textOf([kept.windows, kept.symptoms, kept.history ?? null])),
      coverageHash: sha256(textOf(outcome.coverage)),
      response,
      coverage: outcome.coverage.map(entry => redactCoverage(entry, redact)),
      explained: explainedKinds(kept?.symptoms ?? [], redact),
    },
    render,
  );
  return {
    requestId: response.requestId,
    sessionId: response.attributionSessionId,
    workloadId: request.workloadId,
    at,
    body: document,
  };
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? member.toString() : member,
  );
}

const mostKinds = 200;
const mostNodes = 64;

interface Kind extends Omit<ExplainedKind, 'nodes' | 'nodeCount' | 'count'> {
  count: number;
  readonly seenOn: Set<string>;
}

/** What was taken for what, folded: enough to explain the answer when the evidence is long gone. */
function explainedKinds(
  symptoms: readonly Symptom[],
  redact: (text: string) => string,
): readonly ExplainedKind[] {
  const kinds = new Map<string, Kind>();
  for (const { rule, title, code, role, ruleRole, reason, node, count } of symptoms) {
    const key = JSON.stringify([rule, title, code, role, reason?.text ?? null]);
    const kind = kinds.get(key) ?? {
      rule,
      title,
      code,
      role,
      kind: ruleRole,
      reason: reason === null ? null : redact(reason.text),
      count: 0,
      seenOn: new Set(),
    };
    kind.count += count;
    if (node !== null) kind.seenOn.add(node);
    kinds.set(key, kind);
  }
  return [...kinds.values()]
    .sort((a, b) => rank(a) - rank(b) || b.count - a.count)
    .slice(0, mostKinds)
    .map(({ seenOn, ...kind }) => ({
      ...kind,
      nodes: [...seenOn].sort().slice(0, mostNodes),
      nodeCount: seenOn.size,
    }));
}

function rank({ role }: Kind): number {
  return role === 'initiating' ? 0 : role === 'unknown' ? 1 : 2;
}
