import { isPlain, list, member, plain, text } from '../src/contract/plain.ts';

const longest = 500;

/** What a 422 or 400 says is wrong, without the values it may quote. */
export function refusalText(body: string): string {
  const { said, entries } = read(body);
  if (said !== null) return said.slice(0, longest);
  const sentences = entries.map(entry => {
    const place = list(member(entry, 'loc')).filter(part => ['string', 'number'].includes(typeof part));
    return `${place.join('.')}: ${text(member(entry, 'msg')) ?? 'is wrong'}`;
  });
  return sentences.length === 0 ? 'the request was refused' : sentences.join('; ').slice(0, longest);
}

function read(body: string) {
  const detail = member(plain(parse(body)), 'detail');
  return { said: text(detail), entries: list(detail).filter(isPlain) };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
