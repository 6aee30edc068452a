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

/** Null where TLS is off. Throws StartupError where a file is missing, is no certificate, or key and certificate do not belong together. */
export function openTls(settings: TlsSettings): Tls | null {
  if (settings.certificate === '') {
    const [stray] = Object.entries(settings).filter(([, path]) => path !== '');
    if (stray === undefined) return null;
    throw new StartupError(`tls.${stray[0]} is set without tls.certificate: give the certificate too`);
  }
  if (settings.key === '') throw new StartupError('tls.certificate is set without tls.key: give the key too');
  let inForce = readContext(settings);
  return {
    asksForCertificates: settings.clientAuthority !== '',
    context: () => inForce,
    reload() {
      const read = readContext(settings);
      const differs = read.cert !== inForce.cert || read.key !== inForce.key || read.ca !== inForce.ca;
      inForce = read;
      return differs;
    },
  };
}

function readContext({ certificate, key, clientAuthority }: TlsSettings): SecureContextOptions {
  const context: SecureContextOptions = {
    minVersion,
    cert: readPem('tls.certificate', certificate),
    key: readPem('tls.key', key),
    ...(clientAuthority === '' ? {} : { ca: readPem('tls.clientAuthority', clientAuthority) }),
  };
  try {
    createSecureContext(context);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new StartupError(
      `tls.certificate ${certificate} and tls.key ${key} cannot be used together (${code}): give PEM files of one certificate and its key`,
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
