import { StartupError } from '../../core/errors.ts';
import type { Clock, Log } from '../../core/ports.ts';
import { readOutcome } from '../read-outcome.ts';
import { type LoadedModule, loadModule } from './load-module.ts';
import { threadLog } from './thread-log.ts';
import type { FromThread, ThreadStart, ToThread } from './thread-messages.ts';
import { tellThrown } from './thrown.ts';

/**
 * Loads a module on this thread and answers calls by it. An error that belongs to no call is told and harms nothing
 * else. Until the module is ready nothing of ours keeps the thread alive: one whose promise nobody settles ends by itself.
 */
export async function serveModule({ settings, port }: ThreadStart, clock: Clock): Promise<void> {
  const say = (message: FromThread): void => port.postMessage(message);
  const stray = (error: unknown): void => say({ kind: 'stray', thrown: tellThrown(error) });
  process.on('uncaughtException', stray);
  process.on('unhandledRejection', stray);
  let module: LoadedModule;
  try {
    module = await loadModule(settings, { clock, log: threadLog(say, null) });
  } catch (error) {
    say({ kind: 'refused', says: error instanceof StartupError ? error.message : tellThrown(error).message });
    return;
  }
  answerCalls(module, port, say);
  say({ kind: 'ready', corpusHash: module.corpusHash });
}

type Attribute = Extract<ToThread, { readonly kind: 'attribute' }>;

function answerCalls(
  module: LoadedModule,
  port: ThreadStart['port'],
  say: (message: FromThread) => void,
): void {
  const running = new Map<number, AbortController>();

  async function attribute(asked: Attribute): Promise<void> {
    const { call, request } = asked;
    const soft = new AbortController();
    running.set(call, soft);
    try {
      const read = readOutcome(await module.attribute(request, contextFor(asked, soft.signal, say)));
      say(
        read.ok
          ? { kind: 'outcome', call, outcome: read.outcome }
          : { kind: 'malformed', call, problem: read.problem },
      );
    } catch (error) {
      say({ kind: 'failed', call, thrown: tellThrown(error) });
    } finally {
      running.delete(call);
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
interface ModuleContext extends Pick<Attribute, 'session' | 'now'> {
  readonly soft: AbortSignal;
  readonly log: Log;
  /** A malformed one goes nowhere: it is told in the log, by its place. */
  report(outcome: unknown): void;
}

function contextFor(
  { call, session, now }: Attribute,
  soft: AbortSignal,
  say: (message: FromThread) => void,
): ModuleContext {
  return {
    session,
    now,
    soft,
    log: threadLog(say, call),
    report(outcome) {
      const read = readOutcome(outcome);
      say(
        read.ok
          ? { kind: 'report', call, outcome: read.outcome }
          : { kind: 'malformed_report', problem: read.problem },
      );
    },
  };
}
