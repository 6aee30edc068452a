import { entriesOf, membersOf, wordOf } from '../json-value.ts';
import { type CheckResult, type HealthDocument, nodesNamed, oneLine } from './health-document.ts';

/** `error_severity` and `error_category` by number, as dcgm_errors.h lists them. */
const severities = ['none', 'monitor', 'isolate', 'unknown', 'triage', 'config', 'reset'];
const categories = [
  'none',
  'threshold',
  'violation',
  'configuration',
  'library',
  'xid',
  'cuda',
  'eud',
  'software',
  'thermal',
  'memory',
  'nvlink',
  'nvswitch',
  'pcie',
  'power',
  'hardware',
  'internal',
];

/**
 * `dcgmi diag -j`: `isolate memory fail GPU 3: message`. Newer forms rate each warning and name entities; the older one
 * has a text and lists GPUs, and is `unrated`. A warning counts whatever the status that it stands beside, but for tests
 * that were skipped or never ran.
 */
export const dcgmDiagnosis: HealthDocument = {
  name: 'dcgm',
  markers: ['DCGM Diagnostic', 'DCGM GPU Diagnostic'],
  parse(value) {
    const members = membersOf(value);
    const root = members['DCGM Diagnostic'] ?? members['DCGM GPU Diagnostic'];
    if (typeof root !== 'object' || root === null) return null;
    const { test_categories, tests, runtime_error } = membersOf(root);
    const grouped = entriesOf(test_categories).flatMap(each => entriesOf(membersOf(each)['tests']));
    const results = [...grouped, ...entriesOf(tests)].flatMap(testResults);
    const error = wordOf(runtime_error);
    const nodes = nodesNamed(value);
    if (error === null) return { nodes, results };
    return { nodes, results: [...results, resultOf('dcgmi diag', 'none software error', '', error)] };
  },
};

function testResults(test: unknown): readonly CheckResult[] {
  const { name, results, test_summary } = membersOf(test);
  const check = oneLine(wordOf(name) ?? 'diag');
  const single = entriesOf(results).flatMap(result => entityResults(check, result));
  // The summary repeats the worst of the results, where there are any.
  return single.length > 0 || test_summary === undefined ? single : entityResults(check, test_summary);
}

function entityResults(check: string, result: unknown): readonly CheckResult[] {
  const members = membersOf(result);
  const status = (wordOf(members['status']) ?? '').toLowerCase();
  if (status === '' || status.startsWith('skip') || status.startsWith('not')) return [];
  const entity = entityOf(members);
  const warnings = warningsOf(members['warnings']);
  if (warnings.length === 0 && status.startsWith('fail')) {
    return [resultOf(check, 'unrated unclassed fail', entity, wordOf(members['info']) ?? '')];
  }
  return warnings.map(({ text, severity, category }) =>
    resultOf(check, `${severity} ${category} ${oneLine(status)}`, entity === '' ? gpuIn(text) : entity, text),
  );
}

function resultOf(check: string, rating: string, entity: string, text: string): CheckResult {
  const value = `${rating}${entity === '' ? '' : ` ${entity}`}: ${oneLine(text)}`;
  return { check, field: 'dcgm', value, said: text === '' ? check : text, time: null };
}

interface Warning {
  readonly text: string;
  readonly severity: string;
  readonly category: string;
}

/** A text, a list of texts, or a list of objects, by version. */
function warningsOf(warnings: unknown): readonly Warning[] {
  const list = Array.isArray(warnings) ? entriesOf(warnings) : [warnings];
  return list.flatMap((each): readonly Warning[] => {
    const bare = wordOf(each);
    if (bare !== null) return [{ text: bare, severity: 'unrated', category: 'unclassed' }];
    const { warning, error_severity, error_category } = membersOf(each);
    const text = wordOf(warning);
    if (text === null) return [];
    const severity = numbered(severities, error_severity) ?? 'unrated';
    return [{ text, severity, category: numbered(categories, error_category) ?? 'unclassed' }];
  });
}

function numbered(words: readonly string[], value: unknown): string | null {
  const number = wordOf(value);
  return number === null || !/^\d{1,3}$/.test(number) ? null : (words[Number(number)] ?? 'unknown');
}

/** `GPU 3`, `SWITCH 1`; of a result about several GPUs nothing. */
function entityOf({ entity_group, entity_id, gpu_id, gpu_ids }: Readonly<Record<string, unknown>>): string {
  const id = wordOf(entity_id) ?? wordOf(gpu_id) ?? wordOf(gpu_ids);
  if (id === null || !/^\d{1,9}$/.test(id)) return '';
  return `${oneLine(wordOf(entity_group) ?? 'GPU')} ${id}`;
}

/** The one GPU that a message speaks of. */
function gpuIn(text: string): string {
  const named = new Set([...text.matchAll(/\bGPU (\d{1,9})\b/g)].map(([, id]) => id));
  const [only, ...others] = named;
  return only === undefined || others.length > 0 ? '' : `GPU ${only}`;
}
