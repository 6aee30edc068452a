import type { Batch } from '../../core/batch.ts';
import type { SourceCoverage } from '../../core/coverage.ts';
import type { CollectPlan, Source } from '../../core/ports.ts';
import { merge } from '../merge.ts';
import { askedOf } from './asked.ts';
import { collectJob } from './collect-job.ts';
import { collectNodes } from './collect-nodes.ts';
import { examineLogStore } from './examine.ts';
import type { Cursor } from './log-store.ts';
import { budgetOf, latenessOf, type StoreParts } from './reading.ts';

/** A source over one log store: its origins side by side, each within its own budget. */
export function createLogStoreSource<C extends Cursor>(parts: StoreParts<C>): Source {
  return {
    name: parts.name,
    origins: parts.store.origins,
    collect: (plan, signal) => collectLogStore(parts, plan, signal),
    examine: (_wants, signal) => examineLogStore(parts, signal),
    close: () => parts.store.close(),
  };
}

async function* collectLogStore<C extends Cursor>(
  parts: StoreParts<C>,
  plan: CollectPlan,
  signal: AbortSignal,
): AsyncGenerator<Batch, readonly SourceCoverage[], void> {
  const { name, store, settings, tools } = parts;
  const asked = askedOf(plan, { name, origins: store.origins }, settings.everythingHours, tools.clock);
  const lateness = latenessOf(signal, tools.clock);
  const endings = yield* merge(
    asked.map(ask => {
      const reading = { parts, asked: ask, plan, signal, budget: budgetOf(settings), lateness };
      return ask.origin === 'job' ? collectJob(reading) : collectNodes(reading);
    }),
  );
  return endings.flatMap(ending => {
    if (ending.kind === 'threw') throw ending.error;
    return ending.kind === 'returned' ? [ending.value] : [];
  });
}
