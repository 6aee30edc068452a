import type { Incident, SaidLine } from '../incidents/incident.ts';
import { type Answer, naming, nothing } from './answer.ts';

/** An engine that needs no understanding. It sees every line with its true time and node: parsing costs it nothing. */
export interface NaiveEngine {
  readonly name: string;
  answer(incident: Incident): Answer;
}

const alarming = /error|fail|fatal|panic|timed? ?out|timeout|xid|abort|killed|lost|refused|denied|exception/i;
const code = /Xid \(PCI:[^)]*\): (\d+)/;
/** Codes that lists of this kind hold: of hardware, and those that programs and clean-up bring about. */
const listed = new Set([13, 31, 43, 45, 46, 48, 62, 63, 64, 74, 79, 92, 94, 95, 119, 120, 140, 143, 149, 154]);

const firstError: NaiveEngine = {
  name: 'node of the first error line',
  answer: ({ lines }) =>
    named(lines.find(line => line.node !== null && alarming.test(line.text))?.node ?? null),
};

const anyListedCode: NaiveEngine = {
  name: 'any node with a listed Xid',
  answer({ lines }) {
    const nodes = new Set<string>();
    for (const { node, text } of lines) {
      const found = node === null ? null : code.exec(text);
      if (node !== null && found !== null && listed.has(Number(found[1]))) nodes.add(node);
    }
    return naming([...nodes]);
  },
};

const mostErrors: NaiveEngine = {
  name: 'node with the most error lines',
  answer: ({ lines }) => named(mostFrequent(lines.filter(line => alarming.test(line.text)))),
};

export const naiveEngines: readonly NaiveEngine[] = [firstError, anyListedCode, mostErrors];

function mostFrequent(lines: readonly SaidLine[]): string | null {
  const counts = new Map<string, number>();
  for (const { node } of lines) if (node !== null) counts.set(node, (counts.get(node) ?? 0) + 1);
  let best: string | null = null;
  for (const [node, count] of counts) if (best === null || count > (counts.get(best) ?? 0)) best = node;
  return best;
}

function named(node: string | null): Answer {
  return node === null ? nothing : naming([node]);
}
