import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { AttributionRequest } from '../../contract/index.ts';
import { StartupError } from '../../core/errors.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { Clock, Log, Metrics, ProviderContext } from '../../core/ports.ts';
import { inSpan, type Tracer } from '../../core/tracing.ts';
import { type LimitedKind, markHeard, nothingUnheard } from './allowance.ts';
import type { ModuleSettings } from './load-module.ts';
import type { FromThread, ThreadStart, ToThread } from './thread-messages.ts';
import { errorOf } from './thrown.ts';

export interface ModuleTools {
  readonly clock: Clock;
  readonly log: Log;
  /** Absent where nobody collects them. */
  readonly metrics?: Metrics;
  /** Absent where nobody traces. */
  readonly tracer?: Tracer;
  /** The file that a thread is started by. */
  readonly entry: URL;
}

/** A module on a thread of its own: what it throws, exits or never yields from reaches nobody else. */
export interface ModuleThread {
  readonly corpusHash: string | null;
  /** False once it has ended: it answers nothing more. */
  isAlive(): boolean;
  /** Rejects where the module throws, answers something malformed or ends. What it reports goes to the context. */
  attribute(request: AttributionRequest, context: ProviderContext): Promise<Outcome>;
  /** Lets the module give back what it has, soon; then the thread is gone. */
  close(): Promise<void>;
}

const startLimitMs = 30_000;
/** A module that does not even see its deadline by then never yields. */
const yieldLimitMs = 5_000;
const closeLimitMs = 5_000;
/** One that has not heard of its deadline yet most likely never will. */
const unheardCloseLimitMs = 500;

interface Running {
  readonly context: ProviderContext;
  resolve(outcome: Outcome): void;
  reject(error: Error): void;
}

/** Resolves once the module is ready. Throws StartupError, in the end after half a minute. */
export async function startModuleThread(settings: ModuleSettings, tools: ModuleTools): Promise<ModuleThread> {
  const { clock, log } = tools;
  const running = new Map<number, Running>();
  const uncut = new Map<number, () => void>();
  const ready = Promise.withResolvers<string | null>();
  const closed = Promise.withResolvers<void>();
  let calls = 0;
  let faults = 0;
  let isAlive = true;
  let isServing = false;

  const { port1: port, port2 } = new MessageChannel();
  const unheard = nothingUnheard();
  const start: ThreadStart = { settings, port: port2, unheard };
  const worker = new Worker(tools.entry, { workerData: start, transferList: [port2], name: 'provider' });
  const give = (message: ToThread): void => port.postMessage(message);

  /** The first, second, fourth and so on is told: a module may fail a thousand times a second. */
  function fault(kind: FaultKind, fields: Readonly<Record<string, string | readonly string[]>>): void {
    faults += 1;
    tools.metrics?.count('attribution_provider_faults_total', { kind });
    if ((faults & (faults - 1)) === 0) log.error({ ...fields, so_far: faults }, faultSays[kind]);
  }

  function hearOfCall(message: OfCall): void {
    const asked = message.call === null ? undefined : running.get(message.call);
    if (message.kind === 'report') asked?.context.report(message.outcome);
    else if (message.kind === 'outcome') asked?.resolve(message.outcome);
    else if (message.kind === 'failed') asked?.reject(errorOf(message.thrown));
    else if (message.kind === 'heard') uncut.get(message.call)?.();
    else if (message.kind === 'log') {
      (asked?.context.log ?? log)[message.level](message.fields, message.message);
    } else {
      const { problem } = message;
      asked?.context.log.error({ problem }, 'the provider module returned a malformed outcome');
      asked?.reject(new Error(problem));
    }
  }

  function hear(message: FromThread): void {
    const limited = limitedAs[message.kind];
    if (limited !== undefined) markHeard(unheard, limited);
    if ('call' in message) hearOfCall(message);
    else if (message.kind === 'ready') ready.resolve(message.corpusHash);
    else if (message.kind === 'refused') ready.reject(new StartupError(message.says));
    else if (message.kind === 'malformed_report') fault('malformed_report', { problem: message.problem });
    else if (message.kind === 'dropped') {
      log.warn({ dropped: message.lines }, 'the provider module logs more than it may: lines are dropped');
    } else if (message.kind === 'stray') {
      fault('stray_error', { error: message.thrown.name, at: message.thrown.frames });
    } else {
      const { thrown } = message;
      if (thrown !== null) log.warn({ error: thrown.name }, 'the provider module failed to close');
      closed.resolve();
    }
  }

  function end(says: string): void {
    if (!isAlive) return;
    isAlive = false;
    port.close();
    closed.resolve();
    ready.reject(new StartupError(`provider.module.path: ${settings.path} ${says}`));
    for (const { reject } of running.values()) reject(new Error('the thread of the provider module ended'));
    for (const cancel of uncut.values()) cancel();
  }

  port.on('message', hear);
  worker.on('error', error =>
    end(`cannot be served: ${error instanceof Error ? error.message : 'its thread failed'}`),
  );
  worker.on('exit', code => {
    // What it said before it ended counts.
    for (let last = receiveMessageOnPort(port); last !== undefined; last = receiveMessageOnPort(port)) {
      hear(last.message as FromThread);
    }
    if (isServing) fault('thread_ended', {});
    end(`ended before it was ready (code ${code}): something it waits for can never come, or it exits`);
  });

  async function started(): Promise<string | null> {
    const cancel = clock.after(startLimitMs, () =>
      ready.reject(
        new StartupError(`provider.module.path: ${settings.path} is not ready: nothing after 30 seconds`),
      ),
    );
    try {
      return await ready.promise;
    } catch (error) {
      end('is not served');
      await worker.terminate();
      throw error;
    } finally {
      cancel();
    }
  }

  /** The deadline of a call is near: whoever does not hear of it never yields, and is ended. */
  function cut(call: number): void {
    give({ kind: 'cut', call });
    const cancel = clock.after(yieldLimitMs, () => {
      fault('unresponsive', {});
      void worker.terminate();
    });
    uncut.set(call, () => {
      uncut.delete(call);
      cancel();
    });
  }

  const corpusHash = await started();
  isServing = true;
  return {
    corpusHash,
    isAlive: () => isAlive,
    async attribute(request, context) {
      if (!isAlive) throw new Error('the thread of the provider module ended');
      calls += 1;
      const call = calls;
      const { soft, session, now } = context;
      const onCut = (): void => cut(call);
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
      running.set(call, { context, resolve, reject });
      try {
        return await inSpan(tools.tracer, 'run module', {}, span => {
          give({
            kind: 'attribute',
            call,
            request,
            session: session.session,
            now,
            traceHeaders: span.headers(),
          });
          if (soft.aborted) onCut();
          else soft.addEventListener('abort', onCut, { once: true });
          return promise;
        });
      } finally {
        soft.removeEventListener('abort', onCut);
        running.delete(call);
      }
    },
    async close() {
      isServing = false;
      if (isAlive) {
        give({ kind: 'close' });
        const cancel = clock.after(uncut.size > 0 ? unheardCloseLimitMs : closeLimitMs, closed.resolve);
        await closed.promise;
        cancel();
      }
      await worker.terminate();
    },
  };
}

/** What the thread may send only so much of: each has to be marked as heard. */
const limitedAs: Readonly<Partial<Record<FromThread['kind'], LimitedKind>>> = {
  log: 'log',
  dropped: 'log',
  report: 'report',
  malformed_report: 'report',
  stray: 'stray',
};

type OfCall = Extract<FromThread, { readonly call: unknown }>;

type FaultKind = 'stray_error' | 'malformed_report' | 'unresponsive' | 'thread_ended';

const faultSays: Readonly<Record<FaultKind, string>> = {
  stray_error: 'the provider module let an error escape outside any request: nothing else is harmed',
  malformed_report: 'the provider module reported a malformed outcome: it is dropped',
  unresponsive: 'the provider module never yields: its thread is ended',
  thread_ended: 'the thread of the provider module ended: the next request starts another',
};
