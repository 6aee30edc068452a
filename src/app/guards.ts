import type { Settings } from '../config/settings.ts';
import type { Guard } from '../http/guarded-listener.ts';
import { openTls, type TlsSettings } from '../http/tls.ts';

/** What the settings say of one listener. */
export interface GuardSettings {
  readonly tls: TlsSettings;
  readonly callers: Guard['callers'];
}

/** Something for each listener, by the name of its settings. */
export interface EachListener<T> {
  readonly contract: T;
  readonly operations: T;
  readonly attributor: T;
}

export type Guards = EachListener<Guard>;

/** What the settings of each listener's guard are called, and what they say. */
export function guardSettingsOf({
  tls,
  callers,
  operations,
  attributor,
}: Settings): EachListener<GuardSettings> {
  return { contract: { tls, callers }, operations, attributor };
}

/** Where the certificates of each listener are set. */
export const tlsPlaces: EachListener<string> = {
  contract: 'tls',
  operations: 'operations.tls',
  attributor: 'attributor.tls',
};

/** Reads the certificates of all listeners. Throws StartupError. */
export function openGuards(settings: Settings): Guards {
  const written = guardSettingsOf(settings);
  const open = (name: keyof Guards): Guard => ({
    tls: openTls(written[name].tls, tlsPlaces[name]),
    callers: written[name].callers,
  });
  return { contract: open('contract'), operations: open('operations'), attributor: open('attributor') };
}
