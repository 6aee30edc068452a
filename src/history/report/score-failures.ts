import type { Report, ReportFailure, ReportMistake, ReportRow, ReportScore } from '../../contract/index.ts';
import type { Mark, Truth } from '../../core/marks.ts';
import type { Nanos } from '../../core/time.ts';
import type { AnsweredFailure, Said } from './answered-failures.ts';
import { isSameNode } from './same-node.ts';

type Judgement = 'right' | 'wrong' | 'untold' | 'unmarked';

interface Judged {
  readonly failure: AnsweredFailure;
  readonly truth: Truth | null;
  readonly said: readonly (Said & { readonly judgement: Judgement })[];
  /** Nodes at fault that were not named. */
  readonly missed: number;
}

/** Holds what was said of failures against the marks of those who looked. Pure. */
export function scoreFailures(
  failures: readonly AnsweredFailure[],
  marks: readonly Mark[],
  window: { readonly from: Nanos; readonly to: Nanos },
): Report {
  const markOf = new Map(marks.map(mark => [mark.about, mark]));
  const judged = failures.map(failure => judge(failure, markOf.get(failure.about)?.truth ?? null));
  const marked = judged.filter(({ truth }) => truth !== null);
  const silent = marked.filter(({ said }) => said.length === 0);
  const abstained = (kind: Truth['kind']): number => silent.filter(({ truth }) => truth?.kind === kind).length;
  return {
    ...window,
    failures: failures.length,
    shadow: failures.filter(({ shadow }) => shadow).length,
    marked: marked.length,
    node: score(judged, false),
    job: score(judged, true),
    abstained: {
      nodes: abstained('nodes'),
      application: abstained('application'),
      unknown: abstained('unknown'),
    },
    rules: rowsBy(judged, ({ rule }) => rule),
    families: rowsBy(judged, ({ rule }) => rule.split('/')[0] ?? rule),
    mistakes: judged.filter(isMistaken).map(each => mistakeOf(each, markOf.get(each.failure.about))),
    unmarked: judged.filter(({ truth }) => truth === null).map(({ failure }) => reportedOf(failure)),
  };
}

function judge(failure: AnsweredFailure, truth: Truth | null): Judged {
  const said = failure.said.map(each => ({ ...each, judgement: judgementOf(each, truth) }));
  const atFault = truth?.kind === 'nodes' ? truth.nodes : [];
  const named = said.flatMap(({ node }) => node ?? []);
  const missed = atFault.filter(node => !named.some(other => isSameNode(node, other))).length;
  return { failure, truth, said, missed };
}

function judgementOf({ node }: Said, truth: Truth | null): Judgement {
  if (truth === null) return 'unmarked';
  if (truth.kind === 'unknown') return 'untold';
  if (node === null) return truth.kind === 'application' ? 'right' : 'wrong';
  return truth.kind === 'nodes' && truth.nodes.some(other => isSameNode(node, other)) ? 'right' : 'wrong';
}

function score(judged: readonly Judged[], ofJob: boolean): ReportScore {
  const said = judged.flatMap(each => each.said.filter(({ node }) => (node === null) === ofJob));
  const count = (judgement: Judgement): number => said.filter(each => each.judgement === judgement).length;
  const [right, wrong] = [count('right'), count('wrong')];
  const missed = ofJob
    ? judged.filter(isApplicationMissed).length
    : judged.reduce((sum, each) => sum + each.missed, 0);
  return {
    named: said.length,
    right,
    wrong,
    missed,
    precision: share(right, right + wrong),
    recall: share(right, right + missed),
  };
}

const isApplicationMissed = ({ truth, said }: Judged): boolean =>
  truth?.kind === 'application' && said.every(({ node }) => node !== null);

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function rowsBy(judged: readonly Judged[], nameOf: (said: Said) => string): readonly ReportRow[] {
  const groups = Map.groupBy(
    judged.flatMap(({ said }) => said),
    nameOf,
  );
  return [...groups]
    .map(([name, said]) => {
      const count = (judgement: Judgement): number => said.filter(each => each.judgement === judgement).length;
      return {
        name,
        named: said.length,
        right: count('right'),
        wrong: count('wrong'),
        untold: count('untold'),
        unmarked: count('unmarked'),
      };
    })
    .sort((a, b) => b.named - a.named || (a.name < b.name ? -1 : 1));
}

/** Silence where the application was at fault is no mistake: it blames nobody. */
function isMistaken({ said, missed }: Judged): boolean {
  return missed > 0 || said.some(({ judgement }) => judgement === 'wrong');
}

function mistakeOf({ failure, truth }: Judged, mark: Mark | undefined): ReportMistake {
  return {
    ...reportedOf(failure),
    atFault: truth?.kind === 'nodes' ? truth.nodes : [],
    note: mark?.note ?? '',
  };
}

function reportedOf({ about, workloadId, at, shadow, said }: AnsweredFailure): ReportFailure {
  return {
    about,
    workloadId,
    answeredAt: at,
    shadow,
    nodes: said.flatMap(({ node }) => node ?? []),
    job: said.some(({ node }) => node === null),
  };
}
