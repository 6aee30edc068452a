/** Why a request brought no answer that can be used. */
export type FailureKind =
  | 'aborted'
  | 'timed_out'
  | 'refused'
  | 'unresolved'
  | 'reset'
  | 'tls'
  | 'proxy'
  | 'protocol'
  | 'status'
  | 'redirect'
  | 'too_large'
  | 'bad_encoding'
  | 'wrong_content_type'
  | 'not_json'
  | 'breaker_open'
  | 'credentials';

export interface HttpFailure {
  readonly kind: FailureKind;
  /** The rest of a sentence that begins with the server, and what to do: no secret, no address, no excerpt. */
  readonly message: string;
  /** The status of the answer, where there was one. */
  readonly status: number | null;
  /** Start of the body of an answer with an error status: to be interpreted, never to be shown. */
  readonly body: string;
  /** How long the server asked to be left alone. */
  readonly retryAfterMs: number | null;
}

export function failure(kind: FailureKind, message: string, more: Partial<HttpFailure> = {}): HttpFailure {
  return { status: null, body: '', retryAfterMs: null, ...more, kind, message };
}

/** What coverage calls it: a deadline, ours, the caller's or the server's own, or anything else. */
export function coverageStatusOf({ kind, status, body }: HttpFailure): 'timed_out' | 'failed' {
  if (kind === 'aborted' || kind === 'timed_out') return 'timed_out';
  if (status === 408 || status === 504) return 'timed_out';
  const couldNot = status === 422 || (status !== null && status >= 500);
  return couldNot && saysTimeout(body) ? 'timed_out' : 'failed';
}

/** Whether a server says that its own time was up. */
export function saysTimeout(text: string): boolean {
  return /deadline exceeded|\btimed? ?out\b|couldn.t be executed in [0-9.]{1,12} seconds/i.test(text);
}

const sentences: Readonly<Record<number, string>> = {
  400: 'refused the query (400): check the selectors and names of this source; its own log says why',
  401: 'refused the credentials (401): check the authentication of this source',
  403: 'does not allow this (403): check the rights of the account of this source',
  404: 'does not know this path (404): check the url of this source',
  407: 'lies behind a proxy that wants credentials (407): check the proxy of this source',
  422: 'could not execute the query (422): its own log says why',
  429: 'had too many requests (429): lower the concurrency of this source',
};

/** Failure for an answer whose status says that it is none. */
export function statusFailure(status: number, body: string, retryAfterMs: number | null): HttpFailure {
  const [usual = '', remedy = ''] = (sentences[status] ?? otherStatus(status)).split(': ');
  const asked = retryAfterMs === null ? '' : `, and asked to wait ${Math.ceil(retryAfterMs / 1000)} s`;
  return failure('status', `${usual}${asked}: ${remedy}`, { status, body, retryAfterMs });
}

function otherStatus(status: number): string {
  const remedy = status >= 500 ? 'look at its own log, and what stands in front of it' : 'check the url';
  return `answered with status ${status}: ${remedy} of this source`;
}

/** The message without what to do, for those who can tell that better. */
export function withoutRemedy({ message }: HttpFailure): string {
  return message.split(': ', 1)[0] ?? message;
}

/** What failed below HTTP, by the code of the error; its message is not repeated. */
export function connectionFailure(error: unknown): HttpFailure {
  const code = codeOf(error);
  const found = table.find(([codes]) => codes.test(code));
  return found === undefined
    ? failure(
        'reset',
        `broke off${code === '' ? '' : ` (${code})`}: look at its own log, and what lies between`,
      )
    : failure(found[1], `${found[2]} (${code}): ${found[3]}`);
}

/** By code: what it is, what the server did, and what to do. */
const table: readonly (readonly [RegExp, FailureKind, string, string])[] = [
  [/^ECONNREFUSED$/, 'refused', 'refused the connection', 'start it, or correct the address of this source'],
  [
    /^E(HOST|NET)UNREACH$/,
    'refused',
    'cannot be reached',
    'check its address, and the network and firewalls between',
  ],
  [/^ENOENT$/, 'refused', 'has no socket there', 'start it, or correct unixSocket'],
  [
    /^(EACCES|EPERM)$/,
    'refused',
    'may not be connected to',
    'let this user write to its socket, or the firewall let it out',
  ],
  [
    /^(ENOTFOUND|EAI_[A-Z]+)$/,
    'unresolved',
    'has a name that cannot be resolved',
    'correct the url, or see to DNS',
  ],
  [
    /^(ETIMEDOUT|UND_ERR_[A-Z]+_TIMEOUT)$/,
    'timed_out',
    'did not answer in time',
    'look at its load, and firewalls between',
  ],
  [/^CERT_HAS_EXPIRED$/, 'tls', 'has a certificate that has expired', 'renew it there'],
  [/ALTNAME/, 'tls', 'has a certificate for another name', 'correct the url, or set tls.serverName'],
  [
    /CERT|SIGNATURE|ISSUER|SELF_SIGNED|_CRL/,
    'tls',
    'has a certificate that is not trusted',
    'check tls.caFile',
  ],
  [
    /^(ERR_TLS|ERR_SSL|ERR_OSSL|EPROTO)/,
    'tls',
    'could not agree on TLS',
    'check that the url says http or https as it speaks, and the files under tls',
  ],
  [
    /^UND_ERR_(ABORTED|PRX)/,
    'proxy',
    'could not be reached through the proxy',
    'check the proxy of this source',
  ],
  [
    /^(HPE_|UND_ERR_(HEADERS|REQ|RES)|UND_ERR_INVALID)/,
    'protocol',
    'does not speak HTTP as it should',
    'check that the url has the right port',
  ],
];

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code)) {
    return code === 'UND_ERR_SOCKET' && cause !== undefined ? codeOf(cause) || code : code;
  }
  if (Array.isArray(errors)) return codeOf(errors[0]);
  return cause === undefined ? '' : codeOf(cause);
}
