import { StartupError } from '../core/errors.ts';
import type { Truth } from '../core/marks.ts';
import { subjectOf } from '../history/report/answered-failures.ts';
import { isSameNode } from '../history/report/same-node.ts';
import { compressHostList } from '../lines/host-list.ts';
import { systemClock } from '../telemetry/system-clock.ts';
import { answeredNodes } from './answered-nodes.ts';
import type { GlobalOptions } from './command.ts';
import { withStores } from './with-stores.ts';

export interface MarkOptions {
  readonly node?: readonly string[];
  readonly application?: boolean;
  readonly unknown?: boolean;
  readonly note?: string;
  readonly state?: string;
}

const longestNote = 1_000;
const mostAnswers = 1_000;

/** Keeps what was found to be at fault in a failure that was answered; 1 where no answer is kept of it. A node that the answers know nothing of is marked all the same, with a warning. */
export async function mark(id: string, options: MarkOptions, globals: GlobalOptions): Promise<number> {
  const truth = truthOf(options);
  const { note = '' } = options;
  if (note.length > longestNote) {
    throw new StartupError(`--note has ${note.length} characters: write at most ${longestNote}`);
  }
  const { abouts, strangers } = await withStores(options.state, globals, async ({ audit, marks }) => {
    const entries = await audit.find(id, mostAnswers);
    const found = new Set(entries.map(subjectOf));
    const [about] = found;
    const isOne = found.size === 1 && about !== undefined;
    if (isOne) {
      await marks.record({ about, truth, note, at: systemClock.now() });
    }
    const strangers =
      isOne && truth.kind === 'nodes' ? strangersAmong(truth.nodes, answeredNodes(entries)) : null;
    return { abouts: [...found], strangers };
  });
  if (strangers !== null) process.stderr.write(`attribution-adapter: ${strangers}\n`);
  if (abouts.length === 1) {
    process.stdout.write(
      `marked ${abouts[0]}: ${truth.kind === 'nodes' ? truth.nodes.join(', ') : truth.kind}\n`,
    );
    return 0;
  }
  process.stderr.write(
    abouts.length === 0
      ? 'attribution-adapter: no answer is kept of a request, session or workload of that id\n'
      : `attribution-adapter: ${id} has ${abouts.length} failures: name one of the sessions ${abouts.slice(0, 10).join(', ')}\n`,
  );
  return 1;
}

/** A warning about nodes that the answers know nothing of: a slip, or a fault that lay outside the job. */
function strangersAmong(marked: readonly string[], known: readonly string[] | null): string | null {
  if (known === null) return null;
  const strange = marked.filter(node => !known.some(other => isSameNode(node, other)));
  if (strange.length === 0) return null;
  const shown = compressHostList(known);
  const told = shown.length > 200 ? `${known.length} nodes` : shown;
  return `warning: ${strange.join(', ')} is not among what the answers looked at (${told}): where that is a slip, mark again`;
}

function truthOf({ node, application = false, unknown = false }: MarkOptions): Truth {
  const given = [node !== undefined, application, unknown].filter(Boolean).length;
  if (given !== 1) {
    throw new StartupError('say what was at fault by one of --node NAME, --application and --unknown');
  }
  if (node === undefined) return { kind: application ? 'application' : 'unknown' };
  const empty = node.some(name => name.trim() === '');
  if (empty) throw new StartupError('--node "": give the name of the node, as the answers spell it');
  return { kind: 'nodes', nodes: [...new Set(node)] };
}
