/** How a PostgreSQL server is reached. */
export interface PostgresSettings {
  /** Host name or address, or the folder of its unix socket (it begins with a slash). */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** Empty: none, or that of `passwordFile`. */
  readonly password: string;
  /** Read again for every new connection, so that a password can be rotated; empty: none. */
  readonly passwordFile: string;
  readonly tls: PostgresTls;
  /** The most connections of this process. */
  readonly connections: number;
  /** Longest wait for a connection, new or free. */
  readonly connectTimeoutMs: number;
  /** Longest time for one statement, waiting for locks included. */
  readonly statementTimeoutMs: number;
}

export interface PostgresTls {
  /** `verified`: the certificate is checked against `caFile` or the system's authorities, and against the host's name. */
  readonly mode: 'off' | 'unverified' | 'verified';
  /** PEM files; empty: none. */
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/** What contradicts itself in such settings, each with the member it is about. */
export function postgresMistakes(
  settings: PostgresSettings,
): readonly { readonly member: string; readonly says: string }[] {
  const { host, password, passwordFile, tls } = settings;
  const mistakes: { member: string; says: string }[] = [];
  if (password !== '' && passwordFile !== '') {
    mistakes.push({ member: 'passwordFile', says: 'stands beside password: keep one of them' });
  }
  if ((tls.certFile === '') !== (tls.keyFile === '')) {
    const [given, missing] = tls.certFile === '' ? ['keyFile', 'certFile'] : ['certFile', 'keyFile'];
    mistakes.push({ member: `tls.${given}`, says: `stands alone: give tls.${missing} as well` });
  }
  const named = [tls.caFile, tls.certFile, tls.keyFile].some(path => path !== '');
  if (tls.mode === 'off' && named) {
    mistakes.push({ member: 'tls.mode', says: 'is off, while TLS files are named: set it to verified' });
  }
  if (tls.mode !== 'off' && host.startsWith('/')) {
    mistakes.push({ member: 'tls.mode', says: `is ${tls.mode}, but a unix socket has no TLS: set it to off` });
  }
  return mistakes;
}
