import type { AttributionRequest } from '../contract/index.ts';
import type { Past } from '../core/history.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Log, Provider, ProviderContext } from '../core/ports.ts';
import type { Session, SessionPart } from '../core/session.ts';
import type { Nanos } from '../core/time.ts';
import { inSpan, type Tracer } from '../core/tracing.ts';
import { DeadlineNear } from './deadline.ts';
import { graver, pushedForgotten } from './problem.ts';
import type { Turns } from './turns.ts';

type ProviderResult =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  /** It let the deadline's signal escape instead of concluding over what it knew. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A provider at work. `reported` and `kept` tell its last word so far, at any time. */
export interface ProviderRun {
  /** Never rejects. */
  readonly result: Promise<ProviderResult>;
  reported(): Outcome | null;
  kept(): SessionPart | null;
  /** Lets the next one begin, also where the provider does not come back. */
  endTurn(): void;
}

export interface RunOptions {
  readonly provider: Provider;
  readonly turns: Turns;
  readonly session: Session;
  readonly soft: AbortSignal;
  readonly now: Nanos;
  readonly log: Log;
  readonly history: Past | null;
  readonly tracer: Tracer | undefined;
}

export function runProvider(request: AttributionRequest, options: RunOptions): ProviderRun {
  let reported: Outcome | null = null;
  let kept: SessionPart | null = null;
  let endTurn = (): void => {};
  const attribute = async (): Promise<Outcome> => {
    const { provider, tracer } = options;
    endTurn = await inSpan(tracer, 'wait for turn', {}, () => options.turns.take(options.soft));
    return inSpan(tracer, 'provider', { attributes: { 'attribution.provider': provider.kind } }, () =>
      provider.attribute(request, contextOf()),
    );
  };
  const told = (outcome: Outcome): Outcome => toldOf(options.session, outcome);
  const contextOf = (): ProviderContext => ({
    session: {
      session: options.session,
      keep(part) {
        kept = part;
      },
    },
    ...(options.history === null ? {} : { history: options.history }),
    now: options.now,
    soft: options.soft,
    report(outcome) {
      reported = told(outcome);
    },
    log: options.log,
  });
  return {
    result: attribute().then(
      outcome => ({ kind: 'outcome', outcome: told(outcome) }),
      error => (isCut(error, options.soft) ? { kind: 'cut' } : { kind: 'failed', error }),
    ),
    reported: () => reported,
    kept: () => kept,
    endTurn: () => endTurn(),
  };
}

/** What is left of what was pushed may be what the lost part would have excused. */
function toldOf({ forgotten }: Session, outcome: Outcome): Outcome {
  if (forgotten !== 'pushed') return outcome;
  return { ...outcome, findings: [], problem: graver(pushedForgotten, outcome.problem) };
}

function isCut(error: unknown, soft: AbortSignal): boolean {
  if (!soft.aborted) return false;
  return error instanceof DeadlineNear || (error instanceof Error && error.name === 'AbortError');
}
