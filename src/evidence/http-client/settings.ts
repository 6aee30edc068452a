import Type, { type Static } from 'typebox';
import type { RetrySettings } from './retry.ts';
import type { Secret } from './secret.ts';

export type Authentication =
  | { readonly type: 'none' }
  | { readonly type: 'basic'; readonly username: string; readonly password: Secret }
  /** `Authorization: <scheme> <token>`. */
  | { readonly type: 'bearer'; readonly scheme: string; readonly token: Secret };

export interface TlsSettings {
  /** Certificates to trust instead of the system's. */
  readonly caFile: string | null;
  readonly certificateFile: string | null;
  readonly keyFile: string | null;
  readonly serverName: string | null;
  readonly insecureSkipVerify: boolean;
}

export interface ProxySettings {
  readonly url: string;
  readonly username: string | null;
  readonly password: Secret | null;
}

/** How one server is reached. Only the configuration names hosts, never a request. */
export interface HttpSettings {
  /** Scheme, host, port and the path below which the API lies; no slash at its end. */
  readonly url: string;
  readonly unixSocket: string | null;
  readonly authentication: Authentication;
  readonly tls: TlsSettings;
  readonly proxy: ProxySettings | null;
  readonly headers: readonly (readonly [string, Secret])[];
  /** Longest time for one attempt, the whole body included. */
  readonly timeoutMs: number;
  /** Requests at once. */
  readonly concurrency: number;
  readonly retry: RetrySettings;
  readonly breaker: { readonly failures: number; readonly pauseMs: number };
  /** The most bytes of one answer as it comes, and once it is expanded. */
  readonly answerBytes: number;
  readonly expandedBytes: number;
}

const mebibyte = 1024 * 1024;

/** What holds unless the operator says otherwise. */
export const defaultHttpSettings: Omit<HttpSettings, 'url'> = {
  unixSocket: null,
  authentication: { type: 'none' },
  tls: { caFile: null, certificateFile: null, keyFile: null, serverName: null, insecureSkipVerify: false },
  proxy: null,
  headers: [],
  timeoutMs: 30_000,
  concurrency: 8,
  retry: { retries: 2, baseMs: 200, patienceMs: 5_000 },
  breaker: { failures: 5, pauseMs: 15_000 },
  answerBytes: 64 * mebibyte,
  expandedBytes: 128 * mebibyte,
};

const strict = { additionalProperties: false } as const;
const secretText = Type.String({ minLength: 1 });
const path = Type.String({ minLength: 1 });

/** Settings that every source behind HTTP has, as an operator writes them. */
export const connectionProperties = {
  url: Type.String({ minLength: 1, description: 'http:// or https://, host, port, and a path prefix.' }),
  unixSocket: Type.Optional(Type.String({ minLength: 1, description: 'Socket file to connect to.' })),
  authentication: Type.Optional(
    Type.Object(
      {
        type: Type.Enum(['none', 'basic', 'bearer']),
        username: Type.Optional(Type.String({ minLength: 1 })),
        password: Type.Optional(secretText),
        passwordFile: Type.Optional(path),
        scheme: Type.Optional(
          Type.String({ pattern: '^[A-Za-z][A-Za-z0-9-]*$', description: 'Bearer; ApiKey for some servers.' }),
        ),
        token: Type.Optional(secretText),
        tokenFile: Type.Optional(path),
      },
      { ...strict, description: 'Secrets have a twin that names a file, read again when it changes.' },
    ),
  ),
  tls: Type.Optional(
    Type.Object(
      {
        caFile: Type.Optional(path),
        certificateFile: Type.Optional(path),
        keyFile: Type.Optional(path),
        serverName: Type.Optional(Type.String({ minLength: 1 })),
        insecureSkipVerify: Type.Optional(Type.Boolean({ description: 'Trusts any certificate (false).' })),
      },
      strict,
    ),
  ),
  headers: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'Sent with each request.' })),
  headerFiles: Type.Optional(Type.Record(Type.String(), path, { description: 'The same, values in files.' })),
  tenant: Type.Optional(
    Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })], {
      description: 'Tenant or tenants to read; several are joined by a bar.',
    }),
  ),
  tenantHeader: Type.Optional(Type.String({ minLength: 1, description: 'X-Scope-OrgID.' })),
  proxy: Type.Optional(
    Type.Object(
      {
        url: Type.String({ minLength: 1 }),
        username: Type.Optional(Type.String({ minLength: 1 })),
        password: Type.Optional(secretText),
        passwordFile: Type.Optional(path),
      },
      strict,
    ),
  ),
  timeoutMs: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 600_000, description: 'Longest time for one attempt (30000).' }),
  ),
  concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 256, description: 'Requests at once (8).' })),
  retries: Type.Optional(Type.Integer({ minimum: 0, maximum: 10, description: 'Further attempts (2).' })),
  retryPatienceMs: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Longest Retry-After that is waited for (5000).' }),
  ),
  breakerFailures: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Failures in a row after which a pause is made (5).' }),
  ),
  breakerPauseMs: Type.Optional(Type.Integer({ minimum: 1, description: 'Length of that pause (15000).' })),
  answerBytes: Type.Optional(
    Type.Integer({ minimum: 1024, description: 'The most bytes of one answer as sent (64 MiB).' }),
  ),
  expandedBytes: Type.Optional(
    Type.Integer({ minimum: 1024, description: 'The most bytes of one answer once expanded (128 MiB).' }),
  ),
} as const;

const connectionSchema = Type.Object(connectionProperties);
export type WrittenConnection = Static<typeof connectionSchema>;
