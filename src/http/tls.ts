import { X509Certificate } from 'node:crypto';
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

/** What is wrong with one of the settings; `says` names it. */
export interface TlsMistake {
  readonly setting: keyof TlsSettings;
  readonly says: string;
}

/** All that would keep these files from being served; `place` is what the settings are called. */
export function tlsMistakes(settings: TlsSettings, place: string): readonly TlsMistake[] {
  const incomplete = incompleteness(settings, place);
  if (incomplete.length > 0 || settings.certificate === '') return incomplete;
  const read = readContext(settings, place);
  return read.ok ? [] : read.mistakes;
}

/** Null where TLS is off; `place` is what the settings are called. Throws StartupError with every mistake, one a line: a file is missing, is no certificate, or key and certificate do not belong together. */
export function openTls(settings: TlsSettings, place = 'tls'): Tls | null {
  const incomplete = incompleteness(settings, place);
  if (incomplete.length > 0) throw refusal(incomplete);
  if (settings.certificate === '') return null;
  const readAgain = (): SecureContextOptions => {
    const read = readContext(settings, place);
    if (read.ok) return read.context;
    throw refusal(read.mistakes);
  };
  let inForce = readAgain();
  return {
    asksForCertificates: settings.clientAuthority !== '',
    context: () => inForce,
    reload() {
      const read = readAgain();
      const differs = read.cert !== inForce.cert || read.key !== inForce.key || read.ca !== inForce.ca;
      inForce = read;
      return differs;
    },
  };
}

function refusal(mistakes: readonly TlsMistake[]): StartupError {
  return new StartupError(mistakes.map(({ says }) => says).join('\n'));
}

function incompleteness(settings: TlsSettings, place: string): readonly TlsMistake[] {
  if (settings.certificate !== '') {
    if (settings.key !== '') return [];
    const says = `${place}.certificate is set without ${place}.key: give the key too`;
    return [{ setting: 'certificate', says }];
  }
  return (['key', 'clientAuthority'] as const)
    .filter(setting => settings[setting] !== '')
    .map(setting => ({
      setting,
      says: `${place}.${setting} is set without ${place}.certificate: give the certificate too`,
    }));
}

type ReadContext =
  | { readonly ok: true; readonly context: SecureContextOptions }
  | { readonly ok: false; readonly mistakes: readonly TlsMistake[] };

function readContext(settings: TlsSettings, place: string): ReadContext {
  const mistakes: TlsMistake[] = [];
  const readPem = (setting: keyof TlsSettings): string => {
    try {
      return readFileSync(settings[setting], 'utf8');
    } catch (error) {
      const says = `${place}.${setting} ${settings[setting]} cannot be read (${codeOf(error)}): give a PEM file this user may read`;
      mistakes.push({ setting, says });
      return '';
    }
  };
  const context: SecureContextOptions = { minVersion, cert: readPem('certificate'), key: readPem('key') };
  if (settings.clientAuthority !== '') {
    const ca = readPem('clientAuthority');
    context.ca = ca;
    // What is no certificate is passed over by the runtime, and then nobody could ever connect.
    if (mistakes.every(({ setting }) => setting !== 'clientAuthority') && !isCertificate(ca)) {
      const says = `${place}.clientAuthority ${settings.clientAuthority} holds no certificate: give a PEM file of the authority`;
      mistakes.push({ setting: 'clientAuthority', says });
    }
  }
  if (mistakes.every(({ setting }) => setting === 'clientAuthority'))
    mistakes.push(...pairMistakes(context, settings, place));
  return mistakes.length === 0 ? { ok: true, context } : { ok: false, mistakes };
}

function pairMistakes(
  { cert, key }: SecureContextOptions,
  settings: TlsSettings,
  place: string,
): readonly TlsMistake[] {
  try {
    createSecureContext({ minVersion, cert, key });
    return [];
  } catch (error) {
    const says = `${place}.certificate ${settings.certificate} and ${place}.key ${settings.key} cannot be used together (${codeOf(error)}): give PEM files of one certificate and its key`;
    return [{ setting: 'certificate', says }];
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
}
