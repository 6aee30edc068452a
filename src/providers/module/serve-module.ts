import { StartupError } from '../../core/errors.ts';
import type { Clock, Log } from '../../core/ports.ts';
import { readOutcome } from '../read-outcome.ts';
import { type BoundedSenders, boundedSenders } from './bounded-senders.ts';
import { type LoadedModule, loadModule } from './load-module.ts';
import { threadLog } from './thread-log.ts';
import type { FromThread, ThreadStart, ToThread } from './thread-messages.ts';
import { tellThrown } from './thrown.ts';

/**
 * Loads a module on this thread and answers calls by it. An error that belongs to no call is told and harms nothing
 * else. Until the module is ready nothing of ours keeps the thread alive: one whose promise nobody settles ends by itself.
 */
export async function serveModule({ settings, port, unheard }: ThreadStart, clock: Clock): Promise<void> {
  const say = (message: FromThread): void => port.postMessage(message);
  const senders = boundedSenders(say, unheard, clock);
  divertConsole(threadLog(senders, null));
  const stray = (error: unknown): void => senders.stray({ kind: 'stray', thrown: tellThrown(error) });
  process.on('uncaughtException', stray);
  process.on('unhandledRejection', stray);
  let module: LoadedModule;
  try {
    module = await loadModule(settings, { clock, log: threadLog(senders, null) });
  } catch (error) {
    say({ kind: 'refused', says: error instanceof StartupError ? error.message : tellThrown(error).message });
    return;
  }
  answerCalls(module, port, say, senders);
  say({ kind: 'ready', corpusHash: module.corpusHash });
}

const longestWrite = 4_096;

/**
 * What a module prints goes into the log, which is bounded: each write to a standard stream of a thread is a message
 * that the main thread has to take, and those of one that prints without end would leave it no time for anything else.
 */
function divertConsole(log: Log): void {
  const divert = (level: 'info' | 'warn') => {
    return (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk.subarray(0, longestWrite)).toString();
      log[level]({ printed: true }, text.slice(0, longestWrite).trimEnd());
      const done = rest.at(-1);
      // At once: for one that never yields, what waits to be called would gather.
      if (typeof done === 'function') done();
      return true;
    };
  };
  process.stdout.write = divert('info');
  process.stderr.write = divert('warn');
}

type Attribute = Extract<ToThread, { readonly kind: 'attribute' }>;

function answerCalls(
  module: LoadedModule,
  port: ThreadStart['port'],
  say: (message: FromThread) => void,
  senders: BoundedSenders,
): void {
  const running = new Map<number, AbortController>();

  async function attribute(asked: Attribute): Promise<void> {
    const { call, request } = asked;
    const soft = new AbortController();
    running.set(call, soft);
    try {
      const read = readOutcome(await module.attribute(request, contextFor(asked, soft.signal, senders)));
      say(
        read.ok
          ? { kind: 'outcome', call, outcome: read.outcome }
          : { kind: 'malformed', call, problem: read.problem },
      );
    } catch (error) {
      say({ kind: 'failed', call, thrown: tellThrown(error) });
    } finally {
      running.delete(call);
      senders.forget(call);
    }
  }

  async function close(): Promise<void> {
    try {
      await module.close();
      say({ kind: 'closed', thrown: null });
    } catch (error) {
      say({ kind: 'closed', thrown: tellThrown(error) });
    }
  }

  port.on('message', (message: ToThread) => {
    if (message.kind === 'attribute') void attribute(message);
    else if (message.kind === 'close') void close();
    else {
      say({ kind: 'heard', call: message.call });
      running.get(message.call)?.abort();
    }
  });
}

/** What a module is handed with each request. */
interface ModuleContext extends Pick<Attribute, 'session' | 'now' | 'traceHeaders'> {
  readonly soft: AbortSignal;
  readonly log: Log;
  /** A malformed one goes nowhere: it is told in the log, by its place. */
  report(outcome: unknown): void;
}

function contextFor(
  { call, session, now, traceHeaders }: Attribute,
  soft: AbortSignal,
  senders: BoundedSenders,
): ModuleContext {
  return {
    session,
    now,
    traceHeaders,
    soft,
    log: threadLog(senders, call),
    report(outcome) {
      const read = readOutcome(outcome);
      if (read.ok) senders.report({ kind: 'report', call, outcome: read.outcome });
      else senders.malformedReport({ kind: 'malformed_report', problem: read.problem });
    },
  };
}
