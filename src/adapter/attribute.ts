import {
  type AttributionRequest,
  type AttributionResponse,
  type RenderOptions,
  renderRequest,
} from '../contract/index.ts';
import type { AuditStore } from '../core/audit.ts';
import type { Past } from '../core/history.ts';
import type { Outcome, Problem } from '../core/outcome.ts';
import type { Clock, Log, Metrics, Provider, SessionStore } from '../core/ports.ts';
import type { Session, SessionPart, StoredAnswer } from '../core/session.ts';
import { inSpan, type Span, type TraceHeaders, type Tracer } from '../core/tracing.ts';
import { auditEntry } from './audit-answer.ts';
import { type Deadline, deadlineTimes, startDeadline } from './deadline.ts';
import { inFlight } from './in-flight.ts';
import { type JoinedSession, joinSession, reasonOf } from './join-session.ts';
import { logAnswer, logFailure } from './log-answer.ts';
import { measureAnswer } from './measure-answer.ts';
import {
  deadlineSpent,
  emptyOutcome,
  graver,
  hasEpilogWindow,
  noEpilogWindow,
  noTimeGiven,
  providerFailed,
} from './problem.ts';
import { type ResponseSettings, respond } from './respond.ts';
import { resultOf } from './result.ts';
import { type ProviderRun, runProvider } from './run-provider.ts';
import { saveAnswer } from './save-answer.ts';
import { turns } from './turns.ts';
import { withhold } from './withhold.ts';

export interface AdapterSettings extends ResponseSettings {
  /** A longer `timeout_ms` is clamped to this. */
  readonly maxTimeoutMs: number;
  /** Requests that a provider answers at once; others wait within their deadline. */
  readonly maxAnalyses: number;
  /** Whether answers are kept and not told: the caller gets a normal result with nothing in it. */
  readonly shadow?: boolean;
}

export const defaultAdapterSettings: AdapterSettings = {
  maxTimeoutMs: 600_000,
  maxAnalyses: 16,
  maxUnattributed: 64,
};

export interface AdapterParts {
  readonly provider: Provider;
  readonly sessions: SessionStore;
  /** What a provider may ask of earlier episodes, and how an answered one is remembered; null: not at all. */
  readonly history?: AdapterHistory | null;
  /** Where answers are kept for those who ask later; null: nowhere. */
  readonly audit?: Pick<AuditStore, 'record'> | null;
  /** How answers are written, so that they are kept as they were given. */
  readonly render?: RenderOptions;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Absent where nobody traces. */
  readonly tracer?: Tracer;
  /** Applied to every text of an answer. */
  readonly redact: (text: string) => string;
  readonly settings: AdapterSettings;
  readonly serviceId: string;
  /** What answers by these rules calls itself. */
  readonly versionOf: (corpusHash: string | null) => string;
  /** 128 random bits, url-safe: ids of sessions and requests. */
  readonly randomId: () => string;
}

/** The adapter's side of history. Neither call rejects. */
export interface AdapterHistory extends Past {
  /** Name under which it remembers. */
  readonly cluster: string;
  remember(session: Session, outcome: Outcome): Promise<void>;
}

/** What comes with a request but not in its body. The trace headers are context, never credentials. */
export interface Call extends TraceHeaders {
  readonly requestId?: string;
  /** The authenticated caller, or null while callers are not authenticated. */
  readonly caller: string | null;
  /** Aborts when the caller has gone away. */
  readonly aborted?: AbortSignal;
  /** Whether it has to see all that is known when it asks: it joins no analysis that began before. */
  readonly isFresh?: boolean;
}

export interface AttributionAdapter {
  /** One phase of one request. Never rejects for what a provider or store does: that is data of the answer. */
  attribute(request: AttributionRequest, call: Call): Promise<AttributionResponse>;
  /** Resolves once nothing runs on after its answer, late results saved, at most after the time given. Ask before closing the stores. */
  settled(atMostMs?: number): Promise<void>;
  /** Answers what is asked at this moment with what is known, soon. */
  hurry(): void;
}

/** A provider that ignores its deadline may never come back; ending the process does not wait for it. */
const defaultGraceMs = 5_000;
/** What a process that is about to end still waits for the answers that it cuts short, and then for what is late. */
const hurriedMs = 2_000;

/** What one call carries through its steps. */
interface Course {
  readonly request: AttributionRequest;
  /** The request as it would be sent; what asks the same has the same text. */
  readonly requestText: string;
  readonly requestId: string;
  readonly deadline: Deadline;
  readonly now: bigint;
  readonly log: Log;
}

interface Answer {
  readonly outcome: Outcome;
  readonly response: AttributionResponse;
  readonly kept: SessionPart | null;
}

/** The use case, without HTTP: sessions, deadline, provider, and what of it becomes an answer. */
export function createAttributionAdapter(parts: AdapterParts): AttributionAdapter {
  const { provider, sessions, clock, settings } = parts;
  const { shadow = false } = settings;
  const after = new Set<Promise<unknown>>();
  const running = new Set<Deadline>();
  const asked = inFlight<Answer>();
  const analyses = turns(settings.maxAnalyses);

  /** Work that goes on after the answer; it never rejects. */
  function goOn(work: Promise<unknown>): void {
    after.add(work);
    void work.finally(() => after.delete(work));
  }

  async function answer(course: Course, caller: string | null): Promise<Answer> {
    const { request, deadline, log } = course;
    const windowMissing = request.phase === 'slow' && !hasEpilogWindow(request);
    if (deadline.isOver()) {
      return withoutSession(course, windowMissing ? noEpilogWindow : noTimeGiven);
    }
    const created = { id: parts.randomId(), now: course.now };
    const joining = inSpan(parts.tracer, 'join session', {}, () =>
      joinSession(sessions, request, caller, created, deadline, log),
    );
    const joined = await deadline.within(joining);
    const spent = windowMissing ? noEpilogWindow : deadlineSpent;
    if (joined === null) return withoutSession(course, spent);
    if (windowMissing) return keep(course, joined, emptyOutcome(noEpilogWindow), null, false);
    return ask(course, { ...joined, session: withOwnHistory(joined.session, parts.history?.cluster ?? null) });
  }

  async function ask(course: Course, joined: JoinedSession): Promise<Answer> {
    const { request, deadline, log } = course;
    // Providers divide the time that there is, not the time that was asked for.
    const timeoutMs = Math.min(request.timeoutMs, settings.maxTimeoutMs);
    const run = runProvider(
      { ...request, timeoutMs },
      {
        ...course,
        provider,
        turns: analyses,
        session: joined.session,
        soft: deadline.soft,
        history: parts.history ?? null,
        tracer: parts.tracer,
      },
    );
    // An answer that comes in time is stored together with its session; one at the deadline finds the session stored.
    deadline.soft.addEventListener('abort', joined.open, { once: true });
    if (deadline.soft.aborted) joined.open();
    const result = await deadline.within(run.result);
    deadline.soft.removeEventListener('abort', joined.open);
    run.endTurn();
    if (result?.kind === 'outcome') return keep(course, joined, result.outcome, run, false);
    if (result?.kind === 'failed') {
      logFailure(log, parts.redact, result.error);
      return keep(course, joined, emptyOutcome(providerFailed(course.requestId)), run, false);
    }
    const known = withProblem(run.reported(), deadlineSpent);
    const kept = await keep(course, joined, known, run, false);
    if (result === null) goOn(keepLate(course, joined, run));
    return kept;
  }

  /** Saves the answer while time remains; an answer never waits for its session beyond the deadline. */
  async function keep(
    course: Course,
    joined: JoinedSession,
    outcome: Outcome,
    run: ProviderRun | null,
    late: boolean,
  ): Promise<Answer> {
    let stored = false;
    const opened = joined.stored()?.then(isOpen => {
      stored = isOpen;
    });
    const saving = save(course, joined, outcome, run, late).then(async isSaved => {
      await opened;
      stored = isSaved;
    });
    const kept = run?.kept() ?? null;
    const response = inSpan(parts.tracer, 'respond', {}, () =>
      responseTo(course, outcome, joined.session.id, kept),
    );
    const keeping = Promise.all([saving, audit(course, outcome, response, kept)]);
    goOn(keeping);
    await course.deadline.within(keeping);
    return { outcome, response: stored ? response : { ...response, attributionSessionId: null }, kept };
  }

  function withoutSession(course: Course, problem: Problem): Answer {
    const outcome = emptyOutcome(problem);
    const response = responseTo(course, outcome, null, null);
    goOn(audit(course, outcome, response, null));
    return { outcome, response, kept: null };
  }

  function responseTo(
    { request, requestId }: Course,
    outcome: Outcome,
    sessionId: string | null,
    kept: SessionPart | null,
  ): AttributionResponse {
    // Rules may have been read again since; the answer bears those it was reasoned by.
    const serviceVersion = parts.versionOf(kept?.corpusHash ?? provider.corpusHash);
    return respond(outcome, request, { ...parts, serviceVersion, requestId, sessionId });
  }

  /** Never rejects: an answer goes out also where it cannot be kept. */
  async function audit(
    { request, requestText, log }: Pick<Course, 'request' | 'requestText' | 'log'>,
    outcome: Outcome,
    response: AttributionResponse,
    kept: SessionPart | null,
  ): Promise<void> {
    const store = parts.audit;
    if (store == null) return;
    const { redact, render = {} } = parts;
    try {
      const at = clock.now();
      const entry = auditEntry({
        request,
        requestText,
        outcome,
        response,
        kept,
        at,
        provider,
        redact,
        render,
        shadow,
      });
      await inSpan(parts.tracer, 'store answer', {}, () => store.record(entry));
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, 'the answer cannot be kept for later: show will not know it');
    }
  }

  async function save(
    course: Course,
    joined: JoinedSession,
    outcome: Outcome,
    run: ProviderRun | null,
    late: boolean,
  ): Promise<boolean> {
    const { request, requestId, log } = course;
    const saved: StoredAnswer = { requestId, phase: request.phase, at: clock.now(), outcome, late };
    try {
      const session = await inSpan(parts.tracer, 'store session', {}, () =>
        saveAnswer(sessions, joined, run?.kept() ?? null, saved),
      );
      if (session !== null) {
        const { history } = parts;
        if (history != null) {
          goOn(inSpan(parts.tracer, 'store history', {}, () => history.remember(session, outcome)));
        }
        return true;
      }
      // Where it could not be opened before, that has been told.
      if (await joined.stored()) log.warn({ late }, 'session is gone: the answer is not saved');
    } catch (error) {
      if ((await joined.stored()) !== false)
        log.warn({ late, reason: reasonOf(error) }, 'session cannot be saved: the answer names none');
    }
    return false;
  }

  async function keepLate(course: Course, joined: JoinedSession, run: ProviderRun): Promise<void> {
    const result = await run.result;
    if (result.kind === 'failed') logFailure(course.log, parts.redact, result.error);
    if (result.kind !== 'outcome' || !(await joined.stored())) return;
    const saved = await save(course, joined, result.outcome, run, true);
    if (saved) course.log.info({}, 'late result saved with its session');
  }

  function attribute(request: AttributionRequest, call: Call): Promise<AttributionResponse> {
    const requestId = call.requestId ?? parts.randomId();
    const attributes = { 'attribution.phase': request.phase, 'attribution.request_id': requestId };
    return inSpan(parts.tracer, 'attribute', { requestId, attributes }, span =>
      attributeIn(span, requestId, request, call),
    );
  }

  async function attributeIn(
    span: Span,
    requestId: string,
    request: AttributionRequest,
    call: Call,
  ): Promise<AttributionResponse> {
    const startedMs = clock.elapsedMs();
    const traceId = call.traceparent?.split('-')[1];
    const log = parts.log.child({
      request_id: requestId,
      ...(traceId === undefined ? {} : { trace_id: traceId }),
    });
    const times = deadlineTimes(request.timeoutMs, settings.maxTimeoutMs);
    const now = clock.now();
    const requestText = renderRequest(request);
    const key = call.isFresh === true ? requestId : JSON.stringify(call.caller) + requestText;
    const { isFirst, result } = asked.join(key, call.aborted, async abandoned => {
      const deadline = startDeadline(clock, times, abandoned);
      running.add(deadline);
      try {
        return await answer({ request, requestText, requestId, deadline, now, log }, call.caller);
      } finally {
        running.delete(deadline);
        deadline.end();
      }
    });
    const shared = await result;
    const { outcome } = shared;
    const response = isFirst ? shared.response : { ...shared.response, requestId };
    if (!isFirst) goOn(audit({ request, requestText, log }, outcome, response, shared.kept));
    const { attributionSessionId } = response;
    span.set({
      'attribution.result': resultOf(outcome),
      'attribution.findings': outcome.findings.length,
      'attribution.session_saved': attributionSessionId !== null,
      ...(isFirst ? {} : { 'attribution.joined_another': true }),
      ...(shadow ? { 'attribution.shadow': true } : {}),
    });
    const elapsedMs = clock.elapsedMs() - startedMs;
    logAnswer(shadow ? log.child({ shadow }) : log, request, outcome, attributionSessionId, elapsedMs);
    measureAnswer(parts.metrics, {
      request,
      outcome,
      symptoms: shared.kept?.symptoms ?? [],
      isSessionSaved: attributionSessionId !== null,
      elapsedMs,
      mode: shadow ? 'shadow' : 'live',
    });
    return shadow ? withhold(response) : response;
  }

  let isHurried = false;
  return {
    attribute,
    hurry() {
      isHurried = true;
      for (const deadline of running) deadline.hurry(hurriedMs);
    },
    async settled(atMostMs = isHurried ? hurriedMs : defaultGraceMs) {
      let isOver = false;
      const over = Promise.withResolvers<void>();
      const cancel = clock.after(atMostMs, () => {
        isOver = true;
        over.resolve();
      });
      while (after.size > 0 && !isOver) await Promise.race([Promise.all(after), over.promise]);
      cancel();
    },
  };
}

/** What was remembered under another name, as in shadow mode, is asked anew. */
function withOwnHistory(session: Session, cluster: string | null): Session {
  const { history, ...others } = session;
  const isForeign = cluster !== null && history?.some(row => row.cluster !== cluster) === true;
  return isForeign ? others : session;
}

function withProblem(outcome: Outcome | null, problem: Problem): Outcome {
  if (outcome === null) return emptyOutcome(problem);
  return { ...outcome, problem: graver(problem, outcome.problem) };
}
