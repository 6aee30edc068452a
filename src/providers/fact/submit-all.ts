import type { Nanos, Window } from '../../core/time.ts';
import type { HttpFailure } from '../../evidence/http-client/failure.ts';
import type { NodeStatus } from './amend-coverage.ts';
import type { Gathered } from './gather.ts';
import { observedStreams } from './observed-streams.ts';
import type { RemoteFact } from './remote.ts';

export interface Submitted {
  readonly accepted: number;
  /** Why the last refused observation was. */
  readonly failure: HttpFailure | null;
  /** What coverage says of nodes whose lines did not all arrive. */
  readonly statuses: ReadonlyMap<string, NodeStatus>;
}

export interface SubmitParts {
  readonly remote: RemoteFact;
  readonly bytesPerNode: number;
  readonly http: { readonly concurrency: number };
}

/** Submits an observation a node, a few at once, so that lines are put into messages only when their turn comes. */
export async function submitAll(
  parts: SubmitParts,
  attributor: string,
  { byNode }: Gathered,
  window: Window,
  signal: AbortSignal,
): Promise<Submitted> {
  const statuses = new Map<string, NodeStatus>();
  let accepted = 0;
  const failures: HttpFailure[] = [];
  const waiting = byNode.entries();

  async function submitNext(): Promise<void> {
    for (const [node, gathered] of waiting) {
      const { streams, cut } = observedStreams(gathered, node, parts.bytesPerNode, window);
      if (streams.length === 0) continue;
      const refused = signal.aborted
        ? null
        : await parts.remote.observe(attributor, spanOf(window, streams), streams, signal);
      if (signal.aborted) {
        statuses.set(node, {
          status: 'timed_out',
          reason: 'the deadline came before its lines were submitted',
        });
      } else if (refused !== null) {
        failures.push(refused);
        statuses.set(node, {
          status: 'failed',
          reason: `its lines were not accepted: the service ${refused.message}`,
        });
      } else {
        accepted += 1;
        if (cut) {
          const reason = `only the newest ${parts.bytesPerNode} bytes of its lines were submitted`;
          statuses.set(node, { status: 'truncated', reason });
        }
      }
    }
  }

  await Promise.all(Array.from({ length: parts.http.concurrency }, submitNext));
  return { accepted, failure: failures.at(-1) ?? null, statuses };
}

/** The interval of an observation holds all its stamps. */
function spanOf(window: Window, streams: readonly { readonly stamps: readonly Nanos[] }[]): Window {
  let { from, to } = window;
  for (const { stamps } of streams) {
    const first = stamps[0] ?? from;
    const last = stamps.at(-1) ?? to;
    if (first < from) from = first;
    if (last > to) to = last;
  }
  return { from, to };
}
