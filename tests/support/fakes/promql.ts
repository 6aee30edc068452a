/** A series as a fake server stores it; null is a marker of staleness. */
export interface StoredSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly samples: readonly (readonly [millis: number, value: number | null])[];
}

export interface VectorRow {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

type Labels = Readonly<Record<string, string>>;
type Row = VectorRow;
/** What an expression is worth at an instant. */
type Vector = (atMillis: number) => readonly Row[];

export class PromqlError extends Error {}

export type Query =
  | { readonly kind: 'vector'; readonly at: Vector }
  | {
      readonly kind: 'matrix';
      readonly at: (
        millis: number,
      ) => readonly { labels: Labels; samples: readonly (readonly [number, number])[] }[];
    };

/** How long the last sample of a series counts as its present value. */
const lookbackMs = 300_000;
const token =
  /\s*(?:([A-Za-z_:][A-Za-z0-9_:]*)|(\d+(?:\.\d+)?(?:e[+-]?\d+)?)|("(?:[^"\\]|\\.)*"|`[^`]*`)|(=~|!~|!=|==|>=|<=|[-+=<>(){},[\]]))/y;

/** Parses the part of PromQL that the source writes; anything else is refused as a server refuses what it cannot parse. */
export function parsePromql(text: string, store: () => readonly StoredSeries[]): Query {
  const tokens = tokensOf(text);
  let next = 0;
  const peek = (): string | undefined => tokens[next];
  const take = (): string => {
    const taken = tokens[next];
    if (taken === undefined) throw new PromqlError('unexpected end of input');
    next += 1;
    return taken;
  };
  const expect = (wanted: string): void => {
    const found = take();
    if (found !== wanted) throw new PromqlError(`unexpected ${found}, expected ${wanted}`);
  };

  const selector = (name: string | null): ((labels: Labels) => boolean) => {
    const tests: ((labels: Labels) => boolean)[] = name === null ? [] : [labels => labels['__name__'] === name];
    if (peek() === '{') {
      take();
      while (peek() !== '}') {
        const label = take();
        const operator = take();
        const written = take();
        const value = written.startsWith('`') ? written.slice(1, -1) : (JSON.parse(written) as string);
        tests.push(matcher(label, operator, value));
        if (peek() === ',') take();
      }
      take();
    }
    return labels => tests.every(test => test(labels));
  };
  const range = (): number => {
    expect('[');
    const count = Number(take());
    const unit = take();
    expect(']');
    if (unit !== 's' && unit !== 'ms') throw new PromqlError(`unit ${unit}`);
    return unit === 's' ? count * 1000 : count;
  };
  /** Samples of (at - range, at] of a selector that stands here. */
  const rangeVector = (name: string) => {
    const fits = selector(name);
    const length = range();
    return (at: number) =>
      store()
        .filter(({ labels }) => fits(labels))
        .map(({ labels, samples }) => ({
          labels,
          samples: samples.flatMap(([millis, value]) =>
            value !== null && millis > at - length && millis <= at ? [[millis, value] as const] : [],
          ),
        }))
        .filter(({ samples }) => samples.length > 0);
  };
  const overTime = (compute: (values: readonly number[]) => number): Vector => {
    const vector = rangeVector(take());
    expect(')');
    return at =>
      vector(at).map(({ labels, samples }) => ({
        labels: nameless(labels),
        value: compute(samples.map(([, value]) => value)),
      }));
  };
  const aggregate = (compute: (values: readonly number[]) => number): Vector => {
    const by = peek() === 'by' ? labelList() : [];
    expect('(');
    return grouped(by, closed(), compute);
  };
  const labelList = (): readonly string[] => {
    expect('by');
    expect('(');
    const labels: string[] = [];
    while (peek() !== ')') {
      labels.push(take());
      if (peek() === ',') take();
    }
    take();
    return labels;
  };
  const closed = (): Vector => {
    const inner = expression();
    expect(')');
    return inner;
  };
  const ranked = (direction: number): Vector => {
    expect('(');
    const limit = Number(take());
    expect(',');
    const inner = closed();
    return at =>
      inner(at)
        .toSorted((a, b) => direction * (a.value - b.value))
        .slice(0, limit);
  };
  const call = (name: string): Vector => {
    if (name === 'topk') return ranked(-1);
    if (name === 'bottomk') return ranked(1);
    if (name === 'quantile') {
      expect('(');
      const q = Number(take());
      expect(',');
      return grouped([], closed(), values => quantileOf(q, values));
    }
    const aggregation = aggregations[name];
    if (aggregation !== undefined) return aggregate(aggregation);
    expect('(');
    if (name === 'abs') {
      const inner = closed();
      return at => inner(at).map(row => ({ ...row, value: Math.abs(row.value) }));
    }
    if (name === 'quantile_over_time') {
      const q = Number(take());
      expect(',');
      return overTime(values => quantileOf(q, values));
    }
    const compute = functions[name];
    if (compute === undefined) throw new PromqlError(`unknown function ${name}`);
    return overTime(compute);
  };
  const term = (): Vector => {
    const first = take();
    if (first === '(') return closed();
    if (first === '-') {
      const inner = term();
      return at => inner(at).map(row => ({ ...row, value: -row.value }));
    }
    if (first === 'Inf') return () => [{ labels: {}, value: Number.POSITIVE_INFINITY }];
    if (/^\d/.test(first)) return () => [{ labels: {}, value: Number(first) }];
    const isCall = peek() === '(' || peek() === 'by';
    if (first !== '{' && isCall) return call(first);
    if (first === '{') next -= 1;
    const fits = selector(first === '{' ? null : first);
    return at =>
      store().flatMap(({ labels, samples }) => {
        const last = samples.filter(([millis]) => millis <= at && millis > at - lookbackMs).at(-1);
        return fits(labels) && last !== undefined && last[1] !== null ? [{ labels, value: last[1] }] : [];
      });
  };
  const expression = (): Vector => {
    let left = term();
    for (let operator = peek(); operator !== undefined && operator in comparisons; operator = peek()) {
      take();
      left = combined(left, operator, term());
    }
    return left;
  };

  const rangeOnly = rangeSelector(tokens);
  if (rangeOnly) {
    const name = take();
    const vector = rangeVector(name);
    return { kind: 'matrix', at: vector };
  }
  const whole = expression();
  if (next < tokens.length) throw new PromqlError(`unexpected ${tokens[next]}`);
  return { kind: 'vector', at: whole };
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  for (token.lastIndex = 0; token.lastIndex < text.trimEnd().length; ) {
    const match = token.exec(text);
    if (match === null) throw new PromqlError('unexpected character');
    tokens.push(match[0].trim());
  }
  return tokens;
}

function rangeSelector(tokens: readonly string[]): boolean {
  return tokens[1] === '{' && tokens.at(-1) === ']';
}

function matcher(label: string, operator: string, value: string): (labels: Labels) => boolean {
  const pattern = operator.includes('~') ? new RegExp(`^(?:${value})$`) : null;
  const is = (text: string): boolean => (pattern === null ? text === value : pattern.test(text));
  return labels => is(labels[label] ?? '') === !operator.startsWith('!');
}

/** Functions keep no name, since their result is no longer the metric. */
function nameless(labels: Labels): Labels {
  const { __name__: _name, ...others } = labels;
  return others;
}

function grouped(by: readonly string[], inner: Vector, compute: (values: readonly number[]) => number): Vector {
  return at => {
    const groups = new Map<string, { readonly labels: Labels; readonly values: number[] }>();
    for (const { labels, value } of inner(at)) {
      const own = Object.fromEntries(by.flatMap(name => (name in labels ? [[name, labels[name] ?? '']] : [])));
      const key = JSON.stringify(own);
      const group = groups.get(key) ?? { labels: own, values: [] };
      groups.set(key, group);
      group.values.push(value);
    }
    return [...groups.values()].map(({ labels, values }) => ({ labels, value: compute(values) }));
  };
}

const comparisons: Readonly<Record<string, ((a: number, b: number) => boolean) | null>> = {
  '-': null,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '==': (a, b) => a === b,
};

/** The right side is a number. */
function combined(left: Vector, operator: string, right: Vector): Vector {
  const compare = comparisons[operator] ?? null;
  return at => {
    const number = right(at)[0]?.value ?? Number.NaN;
    if (compare === null) return left(at).map(({ labels, value }) => ({ labels, value: value - number }));
    return left(at).filter(({ value }) => compare(value, number));
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const most = (values: readonly number[]): number => values.reduce((a, b) => (b > a || Number.isNaN(a) ? b : a));
const least = (values: readonly number[]): number =>
  values.reduce((a, b) => (b < a || Number.isNaN(a) ? b : a));

const aggregations: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum,
  max: most,
  min: least,
  count: values => values.length,
};

const functions: Readonly<Record<string, (values: readonly number[]) => number>> = {
  count_over_time: values => values.length,
  sum_over_time: sum,
  max_over_time: most,
  min_over_time: least,
  changes: values => values.filter((value, index) => index > 0 && !Object.is(value, values[index - 1])).length,
  increase: values =>
    values.reduce((gained, value, index) => {
      const before = values[index - 1];
      if (before === undefined) return gained;
      return gained + (value >= before ? value - before : value);
    }, 0),
};

function quantileOf(q: number, values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => (Number.isNaN(a) ? -1 : Number.isNaN(b) ? 1 : a - b));
  const at = q * (sorted.length - 1);
  const lower = sorted[Math.floor(at)] ?? Number.NaN;
  const upper = sorted[Math.ceil(at)] ?? Number.NaN;
  return lower + (upper - lower) * (at - Math.floor(at));
}
