import type { Outcome } from '../../core/outcome.ts';
import type { Log, Provider, ProviderContext } from '../../core/ports.ts';
import { readOutcome } from '../read-outcome.ts';
import { scopedOutcome } from '../scoped-outcome.ts';
import { type LoadedModule, loadModule, type ModuleSettings, type ModuleTools } from './load-module.ts';

/**
 * A provider of an operator's own. The module gets copies, and all it returns is copied and checked: whatever is
 * malformed is told in the log by its place and fails the request as `service_error`.
 */
export async function openModuleProvider(settings: ModuleSettings, tools: ModuleTools): Promise<Provider> {
  const module = await loadModule(settings, tools);
  return {
    kind: 'module',
    corpusHash: module.corpusHash,
    async attribute(request, context) {
      const accept = (returned: unknown): Outcome => {
        const read = readOutcome(returned);
        if (!read.ok) {
          context.log.error({ problem: read.problem }, 'the provider module returned a malformed outcome');
          throw new Error(read.problem);
        }
        const { outcome, leftOut } = scopedOutcome(read.outcome, request);
        if (leftOut.length > 0) {
          context.log.warn({ left_out: leftOut.length }, 'the provider module named nodes outside the scope');
        }
        return outcome;
      };
      const outcome = accept(await module.attribute(structuredClone(request), contextFor(context, accept)));
      const { coverage } = outcome;
      context.session.keep({ windows: [], symptoms: [], coverage, corpusHash: module.corpusHash });
      return outcome;
    },
    close: () => closeModule(module, tools.log),
  };
}

/** What a module is handed with each request. */
function contextFor(context: ProviderContext, accept: (returned: unknown) => Outcome) {
  return {
    session: structuredClone(context.session.session),
    now: context.now,
    soft: context.soft,
    log: context.log,
    report: (returned: unknown) => context.report(accept(returned)),
  };
}

async function closeModule(module: LoadedModule, log: Log): Promise<void> {
  try {
    await module.close();
  } catch (error) {
    log.warn(
      { error: error instanceof Error ? error.name : typeof error },
      'the provider module failed to close',
    );
  }
}
