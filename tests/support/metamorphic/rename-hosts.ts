import type { CaseText } from './case-text.ts';

/** What a node is called instead. */
export type NewNames = ReadonlyMap<string, string>;

/** Other names for all nodes that the texts speak of, of another scheme and in another order. */
export function otherNames(text: CaseText): NewNames {
  const names = [
    ...new Set(
      [...text.values()].flatMap(content => [...expand(content).matchAll(name)].map(([whole]) => whole)),
    ),
  ];
  const inOrder = names.sort();
  return new Map(
    inOrder.map((old, at) => [old, `gpu${String.fromCharCode(97 + (at % 4))}-r${inOrder.length - at}x`]),
  );
}

/** Renames nodes everywhere at once, in lists that name many of them too, and in the names of files. */
export function renameHosts(text: CaseText, names: NewNames): CaseText {
  const renamed = (content: string): string =>
    expand(content).replaceAll(name, whole => names.get(whole) ?? whole);
  return new Map([...text].map(([path, content]) => [renamed(path), renamed(content)]));
}

const name = /\bnode-\d+\b/g;

/** Writes out every name of a list such as `node-[01-03,07]`. */
function expand(content: string): string {
  return content.replaceAll(/\bnode-\[([\d,-]+)\]/g, (_, list: string) =>
    list
      .split(',')
      .flatMap(part => {
        const [from = '', to = from] = part.split('-');
        const count = Number(to) - Number(from) + 1;
        return Array.from(
          { length: count },
          (_, at) => `node-${String(Number(from) + at).padStart(from.length, '0')}`,
        );
      })
      .join(','),
  );
}
