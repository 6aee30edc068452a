import { X509Certificate } from 'node:crypto';
import { StartupError } from '../core/errors.ts';
import type { SourceCheck } from '../core/ports.ts';
import { openTls, type TlsSettings } from './tls.ts';

const warnBeforeDays = 14;
const dayMs = 24 * 60 * 60 * 1000;

/** Whether a listener could serve with these files, and how long; nothing where it has none. `place`: what the settings are called. */
export function examineCertificates(
  settings: TlsSettings,
  place: string,
  nowMs: number,
): readonly SourceCheck[] {
  try {
    const tls = openTls(settings, place);
    if (tls === null) return [];
    const { cert, ca } = tls.context();
    return [
      lifetimeOf(String(cert), `${place}.certificate`, nowMs),
      ...(ca === undefined ? [] : [lifetimeOf(String(ca), `${place}.clientAuthority`, nowMs)]),
    ];
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return error.message.split('\n').map(says => ({ verdict: 'fail', says, remedy: [] }));
  }
}

/** Of the first certificate of a PEM text. */
function lifetimeOf(pem: string, setting: string, nowMs: number): SourceCheck {
  const days = Math.floor((new X509Certificate(pem).validToDate.getTime() - nowMs) / dayMs);
  const remedy = [`renew it and write it to the file of ${setting}: it is taken within a minute`];
  if (days < 0) return { verdict: 'fail', says: `${setting} has ended: clients refuse it`, remedy };
  const says = `${setting} is valid for ${days} days more`;
  return days < warnBeforeDays ? { verdict: 'warn', says, remedy } : { verdict: 'pass', says, remedy: [] };
}
