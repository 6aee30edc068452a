import { entriesOf, membersOf, wordOf } from '../json-value.ts';
import { type CheckResult, type HealthDocument, nodesNamed, oneLine } from './health-document.ts';

/** Names under which the list of what is affected, and what one entry says, may stand. */
const lists = ['affected_components', 'affected_component', 'affected'];
const sayings = ['message', 'reason', 'detail', 'description'];
const harmless = new Set([
  '',
  'none',
  'ok',
  'pass',
  'passed',
  'info',
  'skip',
  'skipped',
  'not_applicable',
  'healthy',
  'ready',
]);
const failed = new Set(['fail', 'failed', 'unhealthy', 'bad', 'not_ready']);

/**
 * The verdict that NVIDIA's Health Validation prints for its node: of each affected component the checks, entities,
 * category and greatest severity: `fatal gpu GPU 3: xid-79 entities GPU-3`. No more than these members is published, so
 * other names around them are passed over.
 */
export const nodeVerdict: HealthDocument = {
  name: 'node_verdict',
  markers: ['check_ids', 'affected_component'],
  parse(value) {
    const outer = membersOf(value);
    const members = 'NodeVerdict' in outer ? membersOf(outer['NodeVerdict']) : outer;
    const list = lists.map(name => members[name]).find(each => Array.isArray(each) || isComponent(each));
    if (list === undefined) return null;
    const nodes = [...new Set([outer, members].flatMap(nodesNamed))];
    const results = (Array.isArray(list) ? entriesOf(list) : [list]).filter(isComponent).flatMap(resultsOf);
    const word = first(members, ['verdict', 'status', 'result', 'health']);
    if (word !== null && harmless.has(word.toLowerCase())) return { nodes, results: [] };
    const bare = results.length === 0 && word !== null && failed.has(word.toLowerCase());
    return { nodes, results: bare ? [overall(word)] : results };
  },
};

function isComponent(value: unknown): boolean {
  const { check_ids, max_severity } = membersOf(value);
  return Array.isArray(check_ids) || wordOf(max_severity) !== null;
}

function resultsOf(component: unknown): readonly CheckResult[] {
  const members = membersOf(component);
  const severity = wordOf(members['max_severity'])?.toLowerCase() ?? '';
  if (harmless.has(severity)) return [];
  const checks = entriesOf(members['check_ids']).flatMap(each => wordOf(each) ?? []);
  const entities = entriesOf(members['entities']).flatMap(entityOf);
  const category = wordOf(members['category'])?.toLowerCase() ?? 'uncategorised';
  const says = sayings.flatMap(name => wordOf(members[name]) ?? []);
  const [only, ...others] = new Set(entities.flatMap(gpuOf));
  const gpu = only === undefined || others.length > 0 ? '' : ` GPU ${only}`;
  const words = [checks.join(','), ...(entities.length > 0 ? ['entities', ...entities] : []), ...says];
  return [
    {
      check: oneLine(checks[0] ?? category),
      field: 'node_verdict',
      value: `${oneLine(severity)} ${oneLine(category)}${gpu}: ${oneLine(words.join(' '))}`,
      said: says[0] ?? checks[0] ?? severity,
      time: null,
    },
  ];
}

function overall(word: string): CheckResult {
  return { check: 'node verdict', field: 'verdict', value: 'FAIL', said: word, time: null };
}

/** An entity is a name, or an object of which type and id tell. */
function entityOf(value: unknown): readonly string[] {
  const bare = wordOf(value);
  if (bare !== null) return [oneLine(bare)];
  const members = membersOf(value);
  const words = [first(members, ['type', 'kind']), first(members, ['id', 'index', 'name', 'value'])];
  const known = words.filter(word => word !== null);
  return known.length === 0 ? [] : [oneLine(known.join(' '))];
}

function gpuOf(entity: string): readonly string[] {
  const match = /^gpu[ :_-]?(\d{1,9})$/i.exec(entity);
  return match?.[1] === undefined ? [] : [match[1]];
}

function first(members: Readonly<Record<string, unknown>>, names: readonly string[]): string | null {
  for (const name of names) {
    const word = wordOf(members[name]);
    if (word !== null) return word;
  }
  return null;
}
