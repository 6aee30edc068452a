import { StorageError, type StorageFault } from '../../core/storage-error.ts';
import type { PostgresSettings } from './settings.ts';

interface Remedy {
  readonly fault: StorageFault;
  readonly says: string;
}

/** By SQLSTATE, its class or the code of the operating system; https://www.postgresql.org/docs/current/errcodes-appendix.html. */
const remedies: Readonly<Record<string, Remedy>> = {
  ECONNREFUSED: {
    fault: 'unreachable',
    says: 'nothing listens there: start the server, or correct postgres.host and postgres.port',
  },
  ENOENT: {
    fault: 'unreachable',
    says: 'no socket of a server lies there: start the server, or correct postgres.host and postgres.port',
  },
  ENOTFOUND: { fault: 'unreachable', says: 'the name of its host is not known: correct postgres.host' },
  EAI_AGAIN: {
    fault: 'unreachable',
    says: 'the name of its host cannot be looked up now: check the name service',
  },
  EHOSTUNREACH: { fault: 'unreachable', says: 'no way leads to its host: check the network' },
  ENETUNREACH: { fault: 'unreachable', says: 'no way leads to its host: check the network' },
  EACCES: { fault: 'not_permitted', says: 'this user may not open its socket: check the mode of that folder' },
  '08': { fault: 'unreachable', says: 'the connection broke: check the server and the network' },
  '28': {
    fault: 'not_permitted',
    says: 'it refuses this user: check postgres.user, the password and pg_hba.conf',
  },
  '3D000': { fault: 'not_permitted', says: 'it has no such database: create it, or correct postgres.database' },
  '42501': {
    fault: 'not_permitted',
    says: 'this user lacks a right there: make it the owner of the database, or grant it CREATE on its schema',
  },
  '25006': { fault: 'read_only', says: 'it takes no writes: name the primary, not a standby' },
  '53100': { fault: 'full', says: 'no space is left for it: free space on its disk' },
  '53300': {
    fault: 'locked',
    says: 'it has no connection left: lower postgres.connections of the replicas, or raise max_connections',
  },
  '53': { fault: 'failed', says: 'it is short of resources: check its log' },
  '55P03': { fault: 'locked', says: 'a lock did not come free in time: another replica may be migrating' },
  '57014': { fault: 'locked', says: 'it took longer than postgres.statementTimeoutMs' },
  '57': { fault: 'unreachable', says: 'it is starting or stopping: wait, or check its log' },
  '58': { fault: 'io', says: 'reading or writing failed there: check its disk and its log' },
  XX001: { fault: 'corrupt', says: 'its data is damaged: check its log' },
  XX002: { fault: 'corrupt', says: 'its data is damaged: check its log' },
};

/** How messages call the server: no secret is part of it. */
export function placeOf({ host, port, database }: PostgresSettings): string {
  const at = host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : `${host}:${port}`;
  return `PostgreSQL at ${at}, database ${database}`;
}

/** The fault behind an error of the driver, naming the server and the remedy. What the server quotes is left out. */
export function postgresFault(error: unknown, settings: PostgresSettings): StorageError {
  if (error instanceof StorageError) return error;
  const { fault, says } = remedyOf(error, settings);
  return new StorageError(fault, `${placeOf(settings)}: ${says}`);
}

function remedyOf(error: unknown, settings: PostgresSettings): Remedy {
  const code = codeOf(error);
  const known = code === null ? undefined : (remedies[code] ?? remedies[code.slice(0, 2)]);
  if (known !== undefined) return known;
  const message = error instanceof Error ? error.message : '';
  if (isTimeout(message)) {
    return {
      fault: 'unreachable',
      says: `no connection within ${settings.connectTimeoutMs} ms: check the network, the server and postgres.connections`,
    };
  }
  if (message === 'Query read timeout') {
    return { fault: 'unreachable', says: 'it did not answer: check the server and the network' };
  }
  if (message.includes('does not support SSL')) {
    return {
      fault: 'not_permitted',
      says: 'it offers no TLS: turn ssl on there, or set postgres.tls.mode to off',
    };
  }
  if (code !== null && isCertificateFault(code)) {
    return {
      fault: 'not_permitted',
      says: `its certificate is not trusted (${code}): check postgres.tls.caFile and postgres.host`,
    };
  }
  if (isDriverFault(error)) {
    return { fault: 'unreachable', says: 'the connection broke: check the server and the network' };
  }
  return { fault: 'failed', says: `it failed (${code ?? 'no code'}): check its log` };
}

function isTimeout(message: string): boolean {
  return message.startsWith('timeout exceeded') || message.includes('due to connection timeout');
}

function isCertificateFault(code: string): boolean {
  return code.startsWith('CERT_') || code.startsWith('ERR_TLS') || /_CERT|SIGNATURE|UNABLE_TO/.test(code);
}

/** The driver's own word for a connection that ended has no code; ECONNRESET and its like have one without remedy. */
function isDriverFault(error: unknown): boolean {
  const code = codeOf(error);
  return code === null || code.startsWith('E');
}

/** Of several addresses of a host that were tried, the first tells. */
function codeOf(error: unknown): string | null {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
