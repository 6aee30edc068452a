/** One `Key=value` of a record, and where it stands. */
export interface Pair {
  readonly key: string;
  readonly value: string;
  readonly line: number;
  /** The line as it stands in the text, and where in it the pair begins and how long it is. */
  readonly text: string;
  readonly at: number;
  readonly length: number;
}

/** What `scontrol show` prints about one job or node. */
export interface ScontrolRecord {
  readonly entity: 'job' | 'node';
  readonly name: string;
  readonly pairs: readonly Pair[];
}

const opening = /^ {0,3}(JobId|NodeName)=(\S+)/;
const key = /(?:^|[ \t])([A-Z][A-Za-z0-9_:/]{0,63})=/g;

/** Values that may hold blanks and anything a user wrote: in the form of several lines they take the rest of theirs. */
const freeText: Readonly<Record<ScontrolRecord['entity'], ReadonlySet<string>>> = {
  job: new Set([
    'JobName',
    'Command',
    'SubmitLine',
    'WorkDir',
    'Comment',
    'AdminComment',
    'SystemComment',
    'Extra',
    'StdErr',
    'StdIn',
    'StdOut',
  ]),
  node: new Set(['OS', 'Comment', 'Extra', 'Reason']),
};

/** Splits `scontrol show job|node`, in the form of several lines or of one (`-o`), into records. Numbers lines from `firstLine`. */
export function scontrolRecords(text: string, firstLine: number): readonly ScontrolRecord[] {
  const records: { entity: 'job' | 'node'; name: string; oneLine: boolean; pairs: Pair[] }[] = [];
  let number = firstLine - 1;
  for (const raw of text.split('\n')) {
    number += 1;
    const line = raw.replace(/\r$/, '');
    const start = opening.exec(line);
    if (start !== null) {
      const entity = start[1] === 'JobId' ? 'job' : 'node';
      const oneLine = entity === 'job' ? line.includes(' JobState=') : line.includes(' State=');
      records.push({ entity, name: start[2] ?? '', oneLine, pairs: [] });
    }
    const record = records.at(-1);
    if (record === undefined) continue;
    for (const pair of pairsOf(line, number, record.oneLine ? null : freeText[record.entity])) {
      record.pairs.push(pair);
    }
  }
  return records;
}

const reasonEnd = /\[[^\s[\]@]{1,64}@[^\s[\]]{1,32}\]/;
const maxReason = 4096;

function* pairsOf(line: string, number: number, restOfLine: ReadonlySet<string> | null): Generator<Pair> {
  key.lastIndex = 0;
  let match = key.exec(line);
  while (match !== null) {
    const name = match[1] ?? '';
    const at = match.index + match[0].length - name.length - 1;
    const valueAt = key.lastIndex;
    const search = restOfLine?.has(name) === true ? line.length : endOfReason(line, name, valueAt);
    key.lastIndex = search;
    const next = search === line.length ? null : key.exec(line);
    const end = next === null ? line.length : next.index;
    const value = line.slice(valueAt, end).trim();
    yield { key: name, value, line: number, text: line, at, length: end - at };
    match = next;
  }
}

/** A reason holds any words, and ends with who set it and when: `Reason=Not responding [slurm@2026-11-30T12:00:00]`. */
function endOfReason(line: string, name: string, from: number): number {
  if (name !== 'Reason') return from;
  const match = reasonEnd.exec(line.slice(from, from + maxReason));
  return match === null ? from : from + match.index + match[0].length;
}
