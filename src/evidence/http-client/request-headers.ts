import { basicToken } from './connections.ts';
import type { HttpFailure } from './failure.ts';
import { secretReader } from './secret.ts';
import type { HttpSettings } from './settings.ts';

export type RevealedHeaders =
  | { readonly ok: true; readonly headers: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly failure: HttpFailure };

/** Reads what is configured to be sent with every request, secrets among it, anew each time. */
export function requestHeaders(settings: HttpSettings): () => Promise<RevealedHeaders> {
  const { authentication } = settings;
  const secret =
    authentication.type === 'none'
      ? null
      : secretReader(authentication.type === 'basic' ? authentication.password : authentication.token);
  const others = settings.headers.map(([name, value]) => ({ name, reveal: secretReader(value) }));
  return async () => {
    const headers: Record<string, string> = {};
    for (const { name, reveal } of others) {
      const revealed = await reveal();
      if (!revealed.ok) return revealed;
      headers[name] = revealed.value;
    }
    if (authentication.type === 'none' || secret === null) return { ok: true, headers };
    const revealed = await secret();
    if (!revealed.ok) return revealed;
    headers['authorization'] =
      authentication.type === 'basic'
        ? basicToken(authentication.username, revealed.value)
        : `${authentication.scheme} ${revealed.value}`;
    return { ok: true, headers };
  };
}
