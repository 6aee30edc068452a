import { StartupError } from '../../core/errors.ts';
import type { Provider } from '../../core/ports.ts';
import { working } from '../../core/readiness.ts';
import { sourceStates } from '../rules/provider-state.ts';
import { scopeOfRequest } from '../rules/reading-scope.ts';
import { askRemote } from './ask-remote.ts';
import type { FactTools } from './fact-tools.ts';
import { remoteFact } from './remote.ts';
import type { FactSettings } from './settings.ts';

const reachLimitMs = 10_000;

/** Asks a remote FACT service about what our sources read. Unless told otherwise, something must answer there at the start. */
export async function openFactProvider(settings: FactSettings, tools: FactTools): Promise<Provider> {
  const remote = remoteFact(settings.http, tools);
  if (settings.requireReachable) {
    const late = new AbortController();
    const cancel = tools.clock.after(reachLimitMs, () => late.abort());
    const failed = await remote.reach(late.signal);
    cancel();
    if (failed !== null) {
      await remote.close();
      throw new StartupError(
        `provider.fact.url: the FACT service at ${settings.http.url} ${failed.message}; or set provider.fact.requireReachable to false`,
        1,
      );
    }
  }
  return {
    kind: 'fact',
    corpusHash: null,
    async attribute(request, context) {
      const outcome = await askRemote({ ...tools, ...settings, remote }, request, context);
      const { windows } = scopeOfRequest(request, context.session.session, context.now, tools.windows);
      context.session.keep({ windows, symptoms: [], coverage: outcome.coverage, corpusHash: null });
      return outcome;
    },
    async state(signal) {
      const [failed, sources] = await Promise.all([remote.reach(signal), sourceStates(tools, signal)]);
      if (failed === null) return { ...working, sources };
      return { works: false, reason: `the FACT service ${failed.message}`, sources };
    },
    close: () => remote.close(),
  };
}
