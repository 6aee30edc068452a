import { readChecks } from '../../../src/lines/health/check-rows.ts';
import { dcgmDiagnosis } from '../../../src/lines/health/dcgm-diagnosis.ts';
import { gpudStates } from '../../../src/lines/health/gpud-states.ts';
import type { HealthDocument } from '../../../src/lines/health/health-document.ts';
import { nodeVerdict } from '../../../src/lines/health/node-verdict.ts';
import { type FuzzedParser, jsonReader, owes, textParser } from '../fuzzed-parser.ts';
import { dating } from './lines.ts';

const documents: readonly HealthDocument[] = [dcgmDiagnosis, gpudStates, nodeVerdict];

/** Each document of health checks by itself, and logs that hold them among other lines. */
export const healthParsers: readonly FuzzedParser[] = [
  ...documents.map(({ name, parse }) =>
    jsonReader(`health-${name}`, value => {
      const report = parse(value);
      for (const { value: said, field } of report?.results ?? []) {
        owes(said.length < 5_000 && !said.includes('\n'), 'a result is one line of bounded length');
        owes(field !== '', 'a result has a field');
      }
      return report !== null;
    }),
  ),
  textParser('health-log', text => {
    const lines = text.split('\n');
    const checks = readChecks({ lines, format: 'auto', node: 'node-01', dating });
    owes(checks.lines.length === lines.length, 'no line is lost');
    for (const { line, text: quoted } of checks.rows) {
      owes((lines[line - 1] ?? '').includes(quoted), 'a result quotes the line that it names');
    }
    return checks.rows.length > 0 || checks.lines !== lines;
  }),
];
