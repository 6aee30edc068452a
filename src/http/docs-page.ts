import { createHash } from 'node:crypto';

export interface DocsPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Node = Readonly<Record<string, unknown>>;

const style = `
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
h1{font-size:1.6rem}h2{margin-top:2.5rem;font-size:1.2rem;border-bottom:1px solid #ccc}
code{font:14px/1.5 ui-monospace,monospace}table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}
.method{background:#1a5fb4;color:#fff;padding:.1rem .5rem;border-radius:.2rem}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#1a1a1a}a{color:#8ab4f8}th,td{border-color:#444}}
`;

/** The OpenAPI document as a page a browser shows without a script, a font or a request more. */
export function docsPage(openapi: string): DocsPage {
  const document = JSON.parse(openapi) as Node;
  const info = member(document, 'info');
  const title = text(info['title']);
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title><style>${style}</style></head><body>`,
    `<h1>${title} ${text(info['version'])}</h1><p>${text(info['description'])}</p>`,
    '<p>This page shows <a href="/openapi.json">/openapi.json</a>.</p>',
    ...Object.entries(member(document, 'paths')).map(([path, item]) => pathSection(path, asNode(item))),
    ...Object.entries(member(member(document, 'components'), 'schemas')).map(([name, schema]) =>
      schemaSection(name, asNode(schema)),
    ),
    '</body></html>',
  ].join('\n');
  return { html, headers: headersFor() };
}

function headersFor(): Readonly<Record<string, string>> {
  const hash = createHash('sha256').update(style).digest('base64');
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
}

function pathSection(path: string, item: Node): string {
  return Object.entries(item)
    .map(([method, value]) => {
      const operation = asNode(value);
      const body = contentType(member(operation, 'requestBody'));
      const responses = Object.entries(member(operation, 'responses')).map(
        ([status, response]) =>
          `<tr><td>${text(status)}</td><td>${text(asNode(response)['description'])}</td><td>${contentType(asNode(response))}</td></tr>`,
      );
      return [
        `<h2><span class="method">${text(method.toUpperCase())}</span> <code>${text(path)}</code></h2>`,
        `<p>${text(operation['description'])}</p>`,
        body === '' ? '' : `<p>Body: ${body}</p>`,
        `<table><tr><th>Status</th><th></th><th>Body</th></tr>${responses.join('')}</table>`,
      ].join('');
    })
    .join('');
}

function schemaSection(name: string, schema: Node): string {
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly unknown[]) : [];
  const rows = Object.entries(member(schema, 'properties')).map(([property, value]) => {
    const node = asNode(value);
    const need = required.includes(property) ? 'required' : '';
    return `<tr><td><code>${text(property)}</code></td><td>${typeOf(node)}</td><td>${need}</td><td>${text(node['description'])}</td></tr>`;
  });
  const table = rows.length === 0 ? `<p>${typeOf(schema)}</p>` : `<table>${rows.join('')}</table>`;
  return `<h2 id="${text(name)}">${text(name)}</h2><p>${text(schema['description'])}</p>${table}`;
}

function contentType(body: Node): string {
  const schema = member(member(member(body, 'content'), 'application/json'), 'schema');
  return Object.keys(schema).length === 0 ? '' : typeOf(schema);
}

/** A type in words: a link to a model, a list of one, alternatives, or a plain word. */
function typeOf(schema: Node): string {
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const name = text(reference.split('/').at(-1));
    return `<a href="#${name}">${name}</a>`;
  }
  const alternatives = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(alternatives)) return alternatives.map(option => typeOf(asNode(option))).join(' or ');
  if (Array.isArray(schema['enum']))
    return schema['enum'].map(value => `<code>${text(value)}</code>`).join(' | ');
  if (schema['const'] !== undefined) return `<code>${text(schema['const'])}</code>`;
  if (schema['type'] === 'array') return `list of ${typeOf(member(schema, 'items'))}`;
  const format = typeof schema['format'] === 'string' ? ` (${text(schema['format'])})` : '';
  return text(schema['type'] ?? 'anything') + format;
}

function member(node: Node, name: string): Node {
  return asNode(node[name]);
}

function asNode(value: unknown): Node {
  return typeof value === 'object' && value !== null ? (value as Node) : {};
}

function text(value: unknown): string {
  return String(value ?? '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
