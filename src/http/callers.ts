import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';

/** Who may call: a caller holds one token, or two while one replaces the other. */
export interface CallerSettings {
  readonly tokens: readonly CallerToken[];
}

export interface CallerToken {
  readonly name: string;
  /** SHA-256 of each token that is valid, as 64 hexadecimal digits. */
  readonly sha256: readonly string[];
}

/** Null: not let in. `caller` is null where nobody is asked who they are. */
export type Admittance = { readonly caller: string | null } | null;

/** Tells who calls: by bearer token where tokens are configured, else by the client certificate where one was asked for. */
export type Authenticate = (request: IncomingMessage) => Admittance;

export function authenticator(settings: CallerSettings, asksForCertificates: boolean): Authenticate {
  const known = settings.tokens.flatMap(({ name, sha256 }) =>
    sha256.map(digest => ({ name, digest: Buffer.from(digest, 'hex') })),
  );
  if (known.length > 0) return request => byToken(request, known);
  if (asksForCertificates) return byCertificate;
  return () => ({ caller: null });
}

interface KnownToken {
  readonly name: string;
  readonly digest: Uint8Array;
}

/** Every token is compared to the end, so that time tells nothing of which came close. */
function byToken(request: IncomingMessage, known: readonly KnownToken[]): Admittance {
  const [scheme = '', token = ''] = (request.headers.authorization ?? '').split(' ', 2);
  const digest = createHash('sha256').update(token).digest();
  let caller: string | null = null;
  for (const each of known) if (timingSafeEqual(each.digest, digest)) caller = each.name;
  return scheme.toLowerCase() === 'bearer' && token !== '' && caller !== null ? { caller } : null;
}

/** The common name: it outlives the renewal of a certificate. The handshake has proven the certificate itself. */
function byCertificate({ socket }: IncomingMessage): Admittance {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return null;
  const name = socket.getPeerCertificate().subject?.CN;
  return typeof name === 'string' && name !== '' ? { caller: name } : null;
}
