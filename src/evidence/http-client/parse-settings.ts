import type { Secret } from './secret.ts';
import {
  type Authentication,
  defaultHttpSettings,
  type HttpSettings,
  type ProxySettings,
  type TlsSettings,
  type WrittenConnection,
} from './settings.ts';

export type ParsedHttpSettings =
  | { readonly ok: true; readonly settings: HttpSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** What an operator wrote about a connection, whose shape was checked. Mistakes are told without the values of secrets. */
export function parseHttpSettings(written: WrittenConnection): ParsedHttpSettings {
  const problems: string[] = [];
  const usual = defaultHttpSettings;
  const settings: HttpSettings = {
    url: urlOf(written.url, 'url', problems),
    unixSocket: written.unixSocket ?? null,
    authentication: authenticationOf(written.authentication ?? { type: 'none' }, problems),
    tls: tlsOf(written.tls ?? {}, problems),
    proxy: proxyOf(written, problems),
    headers: headersOf(written, problems),
    timeoutMs: written.timeoutMs ?? usual.timeoutMs,
    concurrency: written.concurrency ?? usual.concurrency,
    retry: {
      ...usual.retry,
      retries: written.retries ?? usual.retry.retries,
      patienceMs: written.retryPatienceMs ?? usual.retry.patienceMs,
    },
    breaker: {
      failures: written.breakerFailures ?? usual.breaker.failures,
      pauseMs: written.breakerPauseMs ?? usual.breaker.pauseMs,
    },
    answerBytes: written.answerBytes ?? usual.answerBytes,
    expandedBytes: written.expandedBytes ?? usual.expandedBytes,
  };
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings };
}

function urlOf(text: string, place: string, problems: string[]): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const remedy = 'write http:// or https://, host, port and path, such as http://127.0.0.1:3100';
  if (url === null || !/^https?:$/.test(url.protocol)) problems.push(`${place}: is no http address: ${remedy}`);
  else if (url.username !== '' || url.password !== '') {
    problems.push(
      `${place}: holds credentials: write them under authentication (proxy: username, passwordFile)`,
    );
  } else if (url.search !== '' || url.hash !== '') {
    problems.push(`${place}: has a query or fragment: ${remedy}`);
  } else return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  return '';
}

/** Exactly one of a secret and its file. */
function secretOf(
  value: string | undefined,
  path: string | undefined,
  place: string,
  problems: string[],
): Secret {
  if (value !== undefined && path !== undefined) {
    problems.push(`${place}: is given twice: write either ${place} or ${place}File`);
  } else if (value !== undefined && !isHeaderValue(value)) {
    problems.push(`${place}: holds characters that no header can carry: use printable ASCII`);
  } else if (value === undefined && path === undefined) {
    problems.push(`${place}: is missing: write ${place}File (a file that holds it) or ${place}`);
  }
  return path === undefined ? { kind: 'inline', value: value ?? '' } : { kind: 'file', path };
}

function authenticationOf(
  written: NonNullable<WrittenConnection['authentication']>,
  problems: string[],
): Authentication {
  const { type, username, password, passwordFile, token, tokenFile } = written;
  if (type === 'basic') {
    if (username === undefined) problems.push('authentication.username: is missing: basic needs a user name');
    const secret = secretOf(password, passwordFile, 'authentication.password', problems);
    return { type, username: username ?? '', password: secret };
  }
  if (type === 'bearer') {
    const secret = secretOf(token, tokenFile, 'authentication.token', problems);
    return { type, scheme: written.scheme ?? 'Bearer', token: secret };
  }
  if (Object.keys(written).length > 1) {
    problems.push('authentication.type: is none, yet credentials are given: write basic or bearer');
  }
  return { type: 'none' };
}

function tlsOf(written: NonNullable<WrittenConnection['tls']>, problems: string[]): TlsSettings {
  const { caFile, certificateFile, keyFile, serverName, insecureSkipVerify } = written;
  if ((certificateFile === undefined) !== (keyFile === undefined)) {
    problems.push('tls: a client certificate needs both certificateFile and keyFile');
  }
  return {
    caFile: caFile ?? null,
    certificateFile: certificateFile ?? null,
    keyFile: keyFile ?? null,
    serverName: serverName ?? null,
    insecureSkipVerify: insecureSkipVerify ?? false,
  };
}

function proxyOf({ proxy, unixSocket }: WrittenConnection, problems: string[]): ProxySettings | null {
  if (proxy === undefined) return null;
  if (unixSocket !== undefined) problems.push('proxy: a unixSocket is not reached through a proxy: remove one');
  const url = urlOf(proxy.url, 'proxy.url', problems);
  const { username, password, passwordFile } = proxy;
  if (username === undefined) return { url, username: null, password: null };
  return { url, username, password: secretOf(password, passwordFile, 'proxy.password', problems) };
}

/** What the client sets itself. */
const ownHeaders = /^(authorization|host|content-.*|accept.*|connection|transfer-encoding|upgrade|expect|te)$/;

function headersOf(written: WrittenConnection, problems: string[]): readonly (readonly [string, Secret])[] {
  const inline = Object.entries(written.headers ?? {}).map(([name, value]) => {
    if (!isHeaderValue(value)) problems.push(`headers.${name}: holds characters that no header can carry`);
    return [name, { kind: 'inline', value }] as const;
  });
  const files = Object.entries(written.headerFiles ?? {}).map(
    ([name, path]) => [name, { kind: 'file', path }] as const,
  );
  const tenants = [written.tenant ?? []].flat();
  const tenant = tenants.join('|');
  if (!isHeaderValue(tenant) || tenants.some(name => name.includes('|'))) {
    problems.push('tenant: use printable ASCII without bars; several tenants are a list');
  }
  const header = written.tenantHeader ?? 'X-Scope-OrgID';
  const all = [
    ...inline,
    ...files,
    ...(tenant === '' ? [] : [[header, { kind: 'inline', value: tenant }] as const]),
  ];
  const seen = new Set<string>();
  for (const [name] of all) {
    const lower = name.toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(lower))
      problems.push(`headers: "${name}" is no name of a header`);
    if (ownHeaders.test(lower))
      problems.push(`headers.${name}: is set by the client: use authentication for secrets`);
    if (seen.has(lower)) problems.push(`headers.${name}: is given twice`);
    seen.add(lower);
  }
  return all;
}

function isHeaderValue(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
