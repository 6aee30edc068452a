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
  /** The rest of a sentence that begins with the server: no secret, no address, no excerpt. */
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
  400: 'refused the query (400)',
  401: 'refused the credentials (401): check the authentication of this source',
  403: 'does not allow this (403): check the rights of the account of this source',
  404: 'does not know this path (404): check the url of this source',
  407: 'lies behind a proxy that wants credentials (407): check the proxy of this source',
  422: 'could not execute the query (422)',
  429: 'had too many requests (429)',
};

/** Failure for an answer whose status says that it is none. */
export function statusFailure(status: number, body: string, retryAfterMs: number | null): HttpFailure {
  const usual = sentences[status] ?? `answered with status ${status}`;
  const asked = retryAfterMs === null ? '' : `, and asked to wait ${Math.ceil(retryAfterMs / 1000)} s`;
  return failure('status', `${usual}${asked}`, { status, body, retryAfterMs });
}

/** What failed below HTTP, by the code of the error; its message is not repeated. */
export function connectionFailure(error: unknown): HttpFailure {
  const code = codeOf(error);
  const found = table.find(([codes]) => codes.test(code));
  return found === undefined
    ? failure('reset', `broke off${code === '' ? '' : ` (${code})`}`)
    : failure(found[1], `${found[2]} (${code})`);
}

const table: readonly (readonly [RegExp, FailureKind, string])[] = [
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EACCES|ENOENT)$/, 'refused', 'refused the connection'],
  [/^(ENOTFOUND|EAI_[A-Z]+)$/, 'unresolved', 'has a name that cannot be resolved'],
  [/^(ETIMEDOUT|UND_ERR_[A-Z]+_TIMEOUT)$/, 'timed_out', 'did not answer in time'],
  [/^CERT_HAS_EXPIRED$/, 'tls', 'has a certificate that has expired'],
  [/CERT|SIGNATURE|ISSUER|SELF_SIGNED|_CRL/, 'tls', 'has a certificate that is not trusted: check tls.caFile'],
  [/^(ERR_TLS|ERR_SSL|ERR_OSSL|EPROTO)/, 'tls', 'could not agree on TLS'],
  [/^UND_ERR_(ABORTED|PRX)/, 'proxy', 'could not be reached through the proxy'],
  [/^(HPE_|UND_ERR_(HEADERS|REQ|RES)|UND_ERR_INVALID)/, 'protocol', 'does not speak HTTP as it should'],
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
