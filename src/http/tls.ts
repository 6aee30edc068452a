import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { StartupError } from '../core/errors.ts';

/** Files of TLS, as configured; an empty `certificate` leaves it off, an empty `clientAuthority` asks for no certificate of clients. */
export interface TlsSettings {
  readonly certificate: string;
  readonly key: string;
  readonly clientAuthority: string;
}

/** Certificates in force. */
export interface Tls {
  readonly asksForCertificates: boolean;
  context(): SecureContextOptions;
  /** Reads the files again; true where they differ from those in force. Throws StartupError and keeps what is in force. */
  reload(): boolean;
}

/** Older protocols are refused whatever the runtime's default. */
const minVersion = 'TLSv1.2';

/** Null where TLS is off; `place` is what the settings are called. Throws StartupError where a file is missing, is no certificate, or key and certificate do not belong together. */
export function openTls(settings: TlsSettings, place = 'tls'): Tls | null {
  if (settings.certificate === '') {
    const [stray] = Object.entries(settings).filter(([, path]) => path !== '');
    if (stray === undefined) return null;
    throw new StartupError(
      `${place}.${stray[0]} is set without ${place}.certificate: give the certificate too`,
    );
  }
  if (settings.key === '') {
    throw new StartupError(`${place}.certificate is set without ${place}.key: give the key too`);
  }
  let inForce = readContext(settings, place);
  return {
    asksForCertificates: settings.clientAuthority !== '',
    context: () => inForce,
    reload() {
      const read = readContext(settings, place);
      const differs = read.cert !== inForce.cert || read.key !== inForce.key || read.ca !== inForce.ca;
      inForce = read;
      return differs;
    },
  };
}

function readContext({ certificate, key, clientAuthority }: TlsSettings, place: string): SecureContextOptions {
  const context: SecureContextOptions = {
    minVersion,
    cert: readPem(`${place}.certificate`, certificate),
    key: readPem(`${place}.key`, key),
    ...(clientAuthority === '' ? {} : { ca: readPem(`${place}.clientAuthority`, clientAuthority) }),
  };
  try {
    createSecureContext(context);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new StartupError(
      `${place}.certificate ${certificate} and ${place}.key ${key} cannot be used together (${code}): give PEM files of one certificate and its key`,
    );
  }
  return context;
}

function readPem(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new StartupError(`${setting} ${path} cannot be read (${code}): give a PEM file this user may read`);
  }
}
