import type { AttributionAdapter } from '../adapter/attribute.ts';
import { openAdapter } from '../app/adapter.ts';
import { openEngine, reasoningOver } from '../app/engine.ts';
import type { Surroundings } from '../app/surroundings.ts';
import { readSettings } from '../config/read-settings.ts';
import {
  type AttributionRequest,
  parseRequest,
  type ReadResponse,
  readResponse,
  renderResponse,
} from '../contract/index.ts';
import { StartupError } from '../core/errors.ts';
import type { Clock, Log, Provider, SessionStore, SessionView, Source } from '../core/ports.ts';
import type { Session } from '../core/session.ts';
import type { Symptom } from '../core/symptom.ts';
import type { Corpus } from '../engine/corpus/corpus.ts';
import type { RecognitionPool } from '../engine/recognition.ts';
import type { BufferPool } from '../evidence/buffers.ts';
import { createFilesSource } from '../evidence/files/files-source.ts';
import { defaultFilesSettings, type FilesSettings } from '../evidence/files/settings.ts';
import { createRulesProvider } from '../providers/rules/rules-provider.ts';
import { systemClock } from '../telemetry/system-clock.ts';
import type { CaseFolder, CaseStep } from './case-folder.ts';

/** The answers to a case: fast, and slow where the case goes on; with the symptoms of each, as they were explained. */
export interface Replay {
  readonly fast: ReadResponse;
  readonly slow: ReadResponse | null;
  readonly explained: { readonly fast: readonly Symptom[]; readonly slow: readonly Symptom[] };
  /** The session after the last answer, where it was asked for and saved. */
  readonly kept: Session | null;
}

/** How a replay reads its files, where that differs from what is usual. */
export interface ReplayReading {
  readonly files?: Partial<Pick<FilesSettings, 'timezone' | 'lanes' | 'readBytes' | 'cut'>>;
  /** Stands between the files and whoever reads their batches. */
  readonly batches?: (source: Source) => Source;
  /** Whether the session is wanted as it was saved. */
  readonly session?: boolean;
}

export interface ReplayParts {
  readonly corpus: Corpus;
  readonly log: Log;
  readonly packageVersion: string;
  /** Recognition workers. */
  readonly workers: number;
  /** False where nobody looks at what would have changed an answer; reckoned otherwise, as the service does. */
  readonly changes?: boolean;
  /** Between the evidence and the reasoning, and instead of a clock that runs on: what tests put there. */
  readonly through?: Through;
}

export interface Through {
  source(source: Source): Source;
  pool(pool: RecognitionPool): RecognitionPool;
  clock(now: bigint): Clock;
}

const straight: Through = { source: source => source, pool: pool => pool, clock: clockAt };

/** Replays any number of cases over one corpus and one pool of workers. */
export interface Replays {
  replay(folder: CaseFolder, reading?: ReplayReading): Promise<Replay>;
  close(): Promise<void>;
}

/** Cases are answered by the real line: adapter, sessions, provider, files; only the wall clock is the case's. */
export function openReplays(parts: ReplayParts): Replays {
  const { settings } = readSettings({
    file: null,
    environment: {},
    flags: { 'sessions.store': 'memory', 'rules.workers': parts.workers },
  });
  const through = parts.through ?? straight;
  const opened = openEngine(settings, parts.corpus);
  const engine = { ...opened, pool: through.pool(opened.pool) };
  return {
    async replay(folder, { files = {}, batches = (source: Source) => source, session = false } = {}) {
      const surroundings: Surroundings = { ...parts, clock: through.clock(folder.now) };
      let roots = folder.fast.evidence;
      const source = through.source(
        lateSource(() => batches(filesOver(roots, files, surroundings, engine.buffers))),
      );
      const reasoning = reasoningOver(settings, engine, [source], surroundings);
      const rules = createRulesProvider(
        parts.changes === false ? { ...reasoning, changesBudget: 0 } : reasoning,
      );
      const { provider, explained } = listenedTo(rules);
      const open = await openAdapter(settings, provider, surroundings, folder.history);
      try {
        const asked = requestOf(folder.fast, folder.path);
        const fast = await ask(open.adapter, asked);
        const first = explained();
        if (folder.slow === null) {
          const kept = session ? await keptOf(open.sessions, asked, fast) : null;
          return { fast, slow: null, explained: { fast: first, slow: [] }, kept };
        }
        roots = folder.slow.evidence;
        const request = { ...requestOf(folder.slow, folder.path), continueSession: fast.attributionSessionId };
        const slow = await ask(open.adapter, request);
        const kept = session ? await keptOf(open.sessions, request, slow) : null;
        return { fast, slow, explained: { fast: first, slow: explained() }, kept };
      } finally {
        await open.close();
      }
    },
    close: () => engine.pool.close(),
  };
}

/** Logs arrive late: each reading looks at what is there by then. */
function lateSource(now: () => Source): Source {
  const { name, origins } = now();
  return {
    name,
    origins,
    locate: (request, signal) => now().locate?.(request, signal) ?? Promise.resolve(null),
    collect: (plan, signal) => now().collect(plan, signal),
  };
}

/** A provider, and the symptoms that it let its session keep last. */
function listenedTo(provider: Provider): { provider: Provider; explained(): readonly Symptom[] } {
  let last: readonly Symptom[] = [];
  return {
    explained: () => last,
    provider: {
      ...provider,
      attribute(request, context) {
        const { session } = context;
        const keep: SessionView['keep'] = part => {
          last = part.symptoms;
          session.keep(part);
        };
        return provider.attribute(request, { ...context, session: { session: session.session, keep } });
      },
    },
  };
}

/** The folders of a case are laid out by kind, as a configured root is. */
function filesOver(
  folders: readonly string[],
  settings: ReplayReading['files'],
  surroundings: Surroundings,
  buffers: BufferPool,
): Source {
  return createFilesSource(
    {
      ...defaultFilesSettings,
      ...settings,
      name: 'evidence',
      trust: 'configured',
      skipUnchanged: false,
      roots: folders.map(path => ({ path, templates: [] })),
    },
    { ...surroundings, buffers },
  );
}

/** The answer as a caller would read it. */
async function ask(adapter: AttributionAdapter, request: AttributionRequest): Promise<ReadResponse> {
  const response = await adapter.attribute(request, { caller: null, traceparent: null, tracestate: null });
  const read = readResponse(renderResponse(response));
  if (read === null) throw new Error('the adapter wrote an answer that cannot be read');
  return read;
}

/** An answer names its session only once that is stored. */
async function keptOf(
  sessions: SessionStore,
  { workloadId, workloadContext: { workflowId, attemptIndex } }: AttributionRequest,
  { attributionSessionId }: ReadResponse,
): Promise<Session | null> {
  if (attributionSessionId === null) return null;
  return sessions.get(attributionSessionId, { workloadId, workflowId, attemptIndex, caller: null });
}

function requestOf(step: CaseStep, path: string): AttributionRequest {
  const parsed = parseRequest(step.request, 'application/json', { naiveDatetimes: 'refuse', echoInput: false });
  if (!parsed.ok)
    throw new StartupError(`${path}: request.json is not a request of the contract: ${parsed.body}`);
  return parsed.request;
}

/** The wall clock of the case, which stands still so that a replay is the same each time. */
function clockAt(now: bigint): Clock {
  return { ...systemClock, now: () => now };
}
