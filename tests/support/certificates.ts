import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathOf } from './installed.ts';

/** A key and its certificate, as PEM files. */
export interface Identity {
  readonly certificate: string;
  readonly key: string;
}

/** An authority of the test's own, which signs what a test asks for. */
export interface Authority {
  /** PEM file of its certificate. */
  readonly certificate: string;
  /** For localhost and 127.0.0.1; `days` may be negative for one that has ended. */
  issue(name: string, days?: number): Identity;
}

const keyOptions = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

export function makeAuthority(folder: string, name: string): Authority {
  const openssl = (...args: readonly string[]): void => {
    execFileSync(pathOf('openssl'), args, { cwd: folder, stdio: 'ignore' });
  };
  openssl(
    'req',
    '-x509',
    ...keyOptions,
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.pem`,
    '-days',
    '2',
    '-subj',
    `/CN=${name}`,
  );
  let issued = 0;
  return {
    certificate: join(folder, `${name}.pem`),
    issue(subject, days = 2) {
      issued += 1;
      const file = `${name}-${issued}`;
      const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
      openssl(
        'req',
        ...keyOptions,
        '-keyout',
        `${file}.key`,
        '-out',
        `${file}.csr`,
        '-subj',
        `/CN=${subject}`,
        '-addext',
        names,
      );
      openssl(
        'x509',
        '-req',
        '-in',
        `${file}.csr`,
        '-CA',
        `${name}.pem`,
        '-CAkey',
        `${name}.key`,
        '-copy_extensions',
        'copy',
        '-days',
        String(days),
        '-out',
        `${file}.pem`,
      );
      return { certificate: join(folder, `${file}.pem`), key: join(folder, `${file}.key`) };
    },
  };
}

export const pem = (path: string): string => readFileSync(path, 'utf8');
