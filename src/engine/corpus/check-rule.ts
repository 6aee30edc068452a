import { compilePattern } from '../../lines/linear-regex.ts';
import type { CorpusDocument, Path } from './document.ts';
import { type CorpusProblem, problemAt } from './problem.ts';
import type { LineMatch, Rule, SampleMatch, StateMatch } from './rule.ts';
import { captureNames } from './vocabulary.ts';

type Report = (path: Path, message: string) => void;

/** What a schema cannot say about one rule: patterns, groups, conditions that exclude each other. */
export function checkRule(rule: Rule, document: CorpusDocument): readonly CorpusProblem[] {
  const problems: CorpusProblem[] = [];
  const report: Report = (path, message) => {
    problems.push(problemAt(document.place(path), `${pathText(path)}: ${message}`));
  };
  if (rule.match.kind === 'line') checkLine(rule, rule.match, report);
  else checkOther(rule, rule.match, report);
  if (rule.blames === 'node' && (rule.strength === 'S5' || rule.strength === 'S6')) {
    report(['strength'], `${rule.strength} never blames a node: only S1 to S4 may`);
  }
  if (rule.role === 'placement' && rule.blames !== 'nobody') {
    report(['blames'], 'a placement blames nobody');
  }
  return problems;
}

function checkLine(rule: Rule, match: LineMatch, report: Report): void {
  const groups = new Set(checkPattern(match.pattern, match.ignoreCase, ['match', 'line', 'pattern'], report));
  for (const [index, then] of match.further.entries()) {
    const path = ['match', 'line', 'then', index];
    if ((then.lines === null) === (then.seconds === null)) report(path, 'needs exactly one of lines, seconds');
    const own = checkPattern(then.pattern, then.ignoreCase, [...path, 'pattern'], report);
    if (then.absent && own.length > 0)
      report([...path, 'pattern'], 'a line that must be absent captures nothing');
    for (const group of own) groups.add(group);
  }
  checkUnless(match.unless, 'line', report);
  const seen = new Set<string>();
  for (const [index, keyword] of match.keywords.entries()) {
    const path = ['match', 'line', 'keywords', index];
    if (!/^[\x20-\x7e\t]+$/.test(keyword)) {
      report(path, 'may hold printable ASCII only: the gate compares bytes');
    }
    if (seen.has(keyword.toLowerCase())) report(path, `\`${keyword}\` is listed twice: case does not count`);
    seen.add(keyword.toLowerCase());
  }
  checkCatalogueGroups(rule, groups, report);
}

function checkCatalogueGroups(rule: Rule, groups: ReadonlySet<string>, report: Report): void {
  const need = (...names: readonly string[]): void => {
    if (!names.some(name => groups.has(name))) {
      report(['catalogue'], `no pattern captures ${names.join(' or ')}, which ${rule.catalogue} looks up`);
    }
  };
  if (rule.catalogue === 'xid' || rule.catalogue === 'sxid') need(rule.catalogue);
  if (rule.catalogue === 'nvlink') {
    need('xid');
    need('unit');
    need('intr_info', 'registers');
    need('error_status', 'registers');
  }
}

function checkOther(rule: Rule, match: StateMatch | SampleMatch, report: Report): void {
  if (rule.catalogue !== null && (match.kind === 'state' || rule.catalogue !== 'xid')) {
    report(['catalogue'], 'only a line rule reads a catalogue, and a sample rule the one of Xids');
  }
  if (rule.keepEnds) report(['keep'], 'only a line rule keeps ends');
  if (match.kind === 'state') {
    if (match.values.length > 0 === (match.pattern !== null)) {
      report(['match', 'state'], 'needs exactly one of values, pattern');
    }
    if (match.pattern !== null) checkPattern(match.pattern, false, ['match', 'state', 'pattern'], report);
    checkUnless(match.unless, 'state', report);
    return;
  }
  if (match.to.length > 0 && !match.changed) report(['match', 'sample', 'to'], 'belongs to changed: true');
  const { increasedBy, above, below, awayFromMedianBy } = match;
  const conditions = [increasedBy, above, below, awayFromMedianBy].filter(value => value !== null).length;
  if (conditions + (match.changed ? 1 : 0) !== 1) {
    report(
      ['match', 'sample'],
      'needs exactly one of changed, increased_by, above, below, away_from_median_by',
    );
  }
}

function checkUnless(unless: string | null, kind: 'line' | 'state', report: Report): void {
  if (unless === null) return;
  const path = ['match', kind, 'unless'];
  const groups = checkPattern(unless, false, path, report);
  if (groups.length > 0) report(path, 'captures nothing: where it matches, the rule does not');
}

/** The pattern's groups; what is wrong with it is reported. */
function checkPattern(pattern: string, ignoreCase: boolean, path: Path, report: Report): readonly string[] {
  const compiled = compilePattern(pattern, { ignoreCase });
  if (!compiled.ok) {
    const at = compiled.offset === null ? '' : ` (at character ${compiled.offset + 1} of the pattern)`;
    report(path, `${compiled.message}${at}`);
    return [];
  }
  const known: readonly string[] = captureNames;
  for (const group of compiled.pattern.groupNames) {
    if (!known.includes(group)) {
      report(path, `group \`${group}\` is not on the list of capture names: ${captureNames.join(', ')}`);
    }
  }
  return compiled.pattern.groupNames;
}

function pathText(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}
