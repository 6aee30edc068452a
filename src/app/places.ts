import type { Settings } from '../config/settings.ts';
import { checkReachable, type ListenAddress, parseListenAddress } from '../http/listen-address.ts';
import { operationsAddress } from './operations.ts';

/** Where one listener is to be. */
export interface Place {
  readonly address: ListenAddress;
  readonly scheme: 'http' | 'https';
  /** Whether something keeps strangers out, so that it may be reached from other machines. */
  readonly isGuarded: boolean;
}

/** The places of the listeners that the settings ask for. */
export interface Places {
  readonly contract: Place;
  readonly operations: Place | null;
  readonly attributor: Place | null;
}

/** Throws StartupError where one could be reached by strangers. */
export function placesOf(settings: Settings): Places {
  const { listen, attributor, trustedNetwork, tls, callers } = settings;
  const isEncrypted = tls.certificate !== '';
  // A token that travels in the clear is soon a stranger's too.
  const knowsCallers = isEncrypted && (callers.tokens.length > 0 || tls.clientAuthority !== '');
  const inTheClear = (address: string): Place =>
    place({ address: parseListenAddress(address), scheme: 'http', isGuarded: trustedNetwork });
  const operations = operationsAddress(settings);
  return {
    contract: place({
      address: parseListenAddress(listen.public),
      scheme: isEncrypted ? 'https' : 'http',
      isGuarded: trustedNetwork || knowsCallers,
    }),
    operations: operations === null ? null : inTheClear(operations),
    attributor: attributor.enabled ? inTheClear(listen.attributor) : null,
  };
}

function place(wanted: Place): Place {
  checkReachable(wanted.address, wanted.isGuarded);
  return wanted;
}
