import { StartupError } from '../../core/errors.ts';
import type { Outcome, Problem } from '../../core/outcome.ts';
import type { Provider, ProviderContext } from '../../core/ports.ts';
import { working } from '../../core/readiness.ts';
import { scopedOutcome } from '../scoped-outcome.ts';
import type { ModuleSettings } from './load-module.ts';
import { type ModuleThread, type ModuleTools, startModuleThread } from './module-thread.ts';

/**
 * A provider of an operator's own, on a thread of its own. The module gets copies, and all it returns is copied and
 * checked: whatever is malformed is told in the log by its place and fails the request as `service_error`. A thread that
 * ended is started anew for the next request.
 */
export async function openModuleProvider(settings: ModuleSettings, tools: ModuleTools): Promise<Provider> {
  if (settings.path === '') {
    throw new StartupError(
      'provider.module.path is empty: give the file or package that exports createProvider',
    );
  }
  let latest = await startModuleThread(settings, tools);
  let starting: Promise<ModuleThread> | null = null;
  let isClosed = false;

  async function startAgain(): Promise<ModuleThread> {
    try {
      latest = await startModuleThread(settings, tools);
      if (isClosed) await latest.close();
      return latest;
    } catch (error) {
      if (error instanceof StartupError)
        tools.log.error({ problem: error.message }, 'no provider: it cannot be started again');
      throw error;
    } finally {
      starting = null;
    }
  }

  async function thread(): Promise<ModuleThread> {
    if (latest.isAlive() || isClosed) return latest;
    starting ??= startAgain();
    return starting;
  }

  return {
    kind: 'module',
    get corpusHash() {
      return latest.corpusHash;
    },
    async attribute(request, context) {
      const accept = (told: Outcome): Outcome => {
        const { outcome, leftOut } = scopedOutcome(told, request);
        if (leftOut.length > 0) {
          context.log.warn({ left_out: leftOut.length }, 'the provider module named nodes outside the scope');
        }
        return outcome;
      };
      const serving = await thread();
      const checked: ProviderContext = { ...context, report: outcome => context.report(accept(outcome)) };
      const outcome = withProblem(accept(await serving.attribute(request, checked)));
      const { corpusHash } = serving;
      context.session.keep({ windows: [], symptoms: [], coverage: outcome.coverage, corpusHash });
      return outcome;
    },
    async state() {
      const works = latest.isAlive();
      // Whoever asks whether it works has it started: nobody may ask for an answer until it does.
      if (!works) void thread().catch(() => {});
      return { ...(works ? working : { works, reason: 'its thread ended and is started anew' }), sources: [] };
    },
    async close() {
      isClosed = true;
      await latest.close();
    },
  };
}

/** Where nothing was read to its end, finding nothing says nothing. */
function withProblem(outcome: Outcome): Outcome {
  const { findings, coverage, problem } = outcome;
  const hasRead = coverage.some(({ groups }) => groups.some(({ status }) => status === 'complete'));
  return findings.length > 0 || problem !== null || hasRead ? outcome : { ...outcome, problem: nothingRead };
}

const nothingRead: Problem = {
  type: 'insufficient_telemetry',
  message: 'the provider module names nobody, and its coverage says that nothing was read to its end',
};
