import { StartupError } from '../core/errors.ts';
import type { Truth } from '../core/marks.ts';
import { subjectOf } from '../history/report/answered-failures.ts';
import { systemClock } from '../telemetry/system-clock.ts';
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

/** Keeps what was found to be at fault in a failure that was answered; 1 where no answer is kept of it. */
export async function mark(id: string, options: MarkOptions, globals: GlobalOptions): Promise<number> {
  const truth = truthOf(options);
  const { note = '' } = options;
  if (note.length > longestNote) {
    throw new StartupError(`--note has ${note.length} characters: write at most ${longestNote}`);
  }
  const abouts = await withStores(options.state, globals, async ({ audit, marks }) => {
    const found = new Set((await audit.find(id, mostAnswers)).map(subjectOf));
    const [about] = found;
    if (found.size === 1 && about !== undefined) {
      await marks.record({ about, truth, note, at: systemClock.now() });
    }
    return [...found];
  });
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
