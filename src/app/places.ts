import type { Settings } from '../config/settings.ts';
import { checkReachable, type ListenAddress, parseListenAddress } from '../http/listen-address.ts';
import { type GuardSettings, guardSettingsOf } from './guards.ts';
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

/** Where one could be reached by strangers `refuse` gets it, by its setting; throws StartupError unless given another. */
export function placesOf(settings: Settings, refuse: Refuse = throwIt): Places {
  const { listen, attributor, trustedNetwork } = settings;
  const guards = guardSettingsOf(settings);
  const at = (prefix: string, setting: string, address: string, { tls, callers }: GuardSettings): Place => {
    const isEncrypted = tls.certificate !== '';
    // A token that travels in the clear is soon a stranger's too.
    const knowsCallers = isEncrypted && (callers.tokens.length > 0 || tls.clientAuthority !== '');
    const isGuarded = trustedNetwork || knowsCallers;
    const parsed = parseListenAddress(address);
    try {
      checkReachable(parsed, isGuarded, {
        kind: callers.tokens.length > 0 ? 'tokensInTheClear' : 'callersUnknown',
        prefix,
      });
    } catch (error) {
      refuse(error, setting);
    }
    return { address: parsed, scheme: isEncrypted ? 'https' : 'http', isGuarded };
  };
  const operations = operationsAddress(settings);
  return {
    contract: at('', 'listen.public', listen.public, guards.contract),
    operations:
      operations === null ? null : at('operations.', 'listen.operations', operations, guards.operations),
    attributor: attributor.enabled
      ? at('attributor.', 'listen.attributor', listen.attributor, guards.attributor)
      : null,
  };
}

type Refuse = (error: unknown, setting: string) => void;

function throwIt(error: unknown): void {
  throw error;
}
