import { failure, type HttpFailure } from './failure.ts';

/** What an answer is to be: one JSON value, one a line, or text. */
export type Expected = 'json' | 'json-lines' | 'text';

/** A page of a proxy or a login form comes with status 200 too. Servers that send no type are taken at their word. */
export function checkContent(header: string | null, expected: Expected): HttpFailure | null {
  const type = (header ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (
    type === '' ||
    (expected === 'text' ? type !== 'text/html' : /[/+](x-)?(nd)?json(l|-lines)?$/.test(type))
  ) {
    return null;
  }
  const shown = /^[a-z0-9.+-]{1,40}\/[a-z0-9.+-]{1,40}$/.test(type) ? type : 'another type';
  const hint =
    type === 'text/html' ? 'a proxy or a login page may stand in front of it' : 'check the url of this source';
  return failure('wrong_content_type', `sent ${shown} where ${expected} was expected: ${hint}`);
}

export type ParsedContent =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: HttpFailure };

export function parseContent(content: Buffer, expected: Expected): ParsedContent {
  const text = content.toString('utf8');
  if (expected === 'text') return { ok: true, value: text };
  try {
    if (expected === 'json') return { ok: true, value: JSON.parse(text) as unknown };
    // The last line is ended, too: what lacks that was cut.
    if (text !== '' && !text.endsWith('\n')) throw new SyntaxError('the last line is not ended');
    const lines = text.split('\n').filter(line => line.trim() !== '');
    return { ok: true, value: lines.map(line => JSON.parse(line) as unknown) };
  } catch {
    return {
      ok: false,
      failure: failure(
        'not_json',
        `sent ${content.length} bytes that are no ${expected}: check the url of this source, and what stands in front of it`,
      ),
    };
  }
}
