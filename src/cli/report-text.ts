import type { Report, ReportFailure, ReportRow, ReportScore } from '../contract/index.ts';
import { formatNanos } from '../core/time.ts';
import { neutralise } from '../redaction/neutralise.ts';
import type { Style } from './terminal.ts';

const mostShown = 20;

/** A report for people: how right nodes and the job were named, what was left open, by rule and family, and what to mark. */
export function reportText(report: Report, style: Style): string {
  const { failures, shadow, marked, abstained, mistakes, unmarked } = report;
  const silent = abstained.nodes + abstained.application + abstained.unknown;
  return [
    style.strong(
      `REPORT  ${formatNanos(report.from)} to ${formatNanos(report.to)}  ${failures} failures, ${shadow} in shadow, ${marked} marked\n`,
    ),
    scoreText('node', report.node),
    scoreText('job', report.job),
    `  nothing said of ${silent} of ${marked}: a node was at fault in ${abstained.nodes}, ` +
      `the application in ${abstained.application}, untold ${abstained.unknown}\n`,
    tableText('rule', report.rules),
    tableText('family', report.families),
    listText('wrong or missed', mistakes, ({ atFault, note }) => {
      const fault = atFault.length > 0 ? atFault.join(', ') : 'the application';
      return `; at fault ${fault}${note === '' ? '' : ` (${note})`}`;
    }),
    listText('not marked', unmarked, () => ''),
  ].join('');
}

function listText<Failure extends ReportFailure>(
  title: string,
  failures: readonly Failure[],
  more: (failure: Failure) => string,
): string {
  if (failures.length === 0) return '';
  const shown = failures.slice(-mostShown);
  const lines = shown.map(failure => {
    const { about, workloadId, answeredAt, nodes, job } = failure;
    const said = nodes.length > 0 ? `node ${nodes.join(', ')}` : job ? 'the job' : 'nothing';
    const line = `    ${formatNanos(answeredAt)}  ${about}  job ${workloadId}  said ${said}${more(failure)}`;
    // Ids come from callers, notes from people.
    return `${neutralise(line).replaceAll('\n', ' ')}\n`;
  });
  const cut = failures.length > shown.length ? `, the last ${shown.length}` : '';
  return [`  ${title}: ${failures.length}${cut}\n`, ...lines].join('');
}

function scoreText(what: string, { named, right, wrong, missed, precision, recall }: ReportScore): string {
  return (
    `  ${what.padEnd(5)} named ${named}: right ${right}, wrong ${wrong}; missed ${missed}; ` +
    `precision ${rate(precision)}, recall ${rate(recall)}\n`
  );
}

function rate(value: number | null): string {
  return value === null ? 'not known' : value.toFixed(3);
}

function tableText(title: string, rows: readonly ReportRow[]): string {
  if (rows.length === 0) return '';
  const width = Math.max(title.length, ...rows.map(({ name }) => name.length));
  const head = `  ${title.padEnd(width)}  named  right  wrong  untold  not marked\n`;
  const lines = rows.map(
    ({ name, named, right, wrong, untold, unmarked }) =>
      `  ${name.padEnd(width)}  ${cell(named, 5)}  ${cell(right, 5)}  ${cell(wrong, 5)}  ${cell(untold, 6)}  ${cell(unmarked, 10)}\n`,
  );
  return [head, ...lines].join('');
}

function cell(value: number, width: number): string {
  return String(value).padStart(width);
}
