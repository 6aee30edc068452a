import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import type { HttpFailure } from './failure.ts';
import { readWatched, secretReader } from './secret.ts';
import type { HttpSettings } from './settings.ts';
import { type WatchedFile, watchedFile } from './watched-file.ts';

export type OpenConnections =
  | { readonly ok: true; readonly dispatcher: Dispatcher }
  | { readonly ok: false; readonly failure: HttpFailure };

/** The kept connections to one server. */
export interface Connections {
  /** The same from call to call until a certificate, key or password of the proxy changes. */
  open(): Promise<OpenConnections>;
  close(): Promise<void>;
}

export function createConnections(settings: HttpSettings): Connections {
  const { caFile, certificateFile, keyFile } = settings.tls;
  const parts = { ca: watched(caFile), cert: watched(certificateFile), key: watched(keyFile) };
  const password = settings.proxy?.password == null ? null : secretReader(settings.proxy.password);
  let current: { readonly mark: readonly (Buffer | string)[]; readonly dispatcher: Dispatcher } | null = null;
  return {
    async open() {
      const files: Partial<Record<'ca' | 'cert' | 'key', Buffer>> = {};
      for (const name of ['ca', 'cert', 'key'] as const) {
        const part = parts[name];
        if (part === null) continue;
        const read = await readWatched(part.file, part.path);
        if (!read.ok) return read;
        files[name] = read.content;
      }
      const revealed = await password?.();
      if (revealed?.ok === false) return revealed;
      const mark = [...Object.values(files), revealed?.value ?? ''];
      if (current !== null && mark.every((part, index) => part === current?.mark[index])) {
        return { ok: true, dispatcher: current.dispatcher };
      }
      const former = current;
      current = { mark, dispatcher: dispatcherFor(settings, files, revealed?.value ?? null) };
      // Requests under way end on the connections they began on.
      former?.dispatcher.close().catch(() => {});
      return { ok: true, dispatcher: current.dispatcher };
    },
    async close() {
      await current?.dispatcher.destroy();
      current = null;
    },
  };
}

function watched(path: string | null): { readonly file: WatchedFile; readonly path: string } | null {
  return path === null ? null : { file: watchedFile(path), path };
}

function dispatcherFor(
  settings: HttpSettings,
  files: Readonly<Partial<Record<'ca' | 'cert' | 'key', Buffer>>>,
  proxyPassword: string | null,
): Dispatcher {
  const { tls, proxy, unixSocket, concurrency } = settings;
  // Every wait is the client's own, on its clock.
  const waits = { headersTimeout: 0, bodyTimeout: 0, connectTimeout: 0, connections: concurrency };
  const secure = {
    ...files,
    rejectUnauthorized: !tls.insecureSkipVerify,
    ...(tls.serverName === null ? {} : { servername: tls.serverName }),
  };
  if (proxy !== null) {
    const { url, username } = proxy;
    const token = username === null ? {} : { token: basicToken(username, proxyPassword ?? '') };
    return new ProxyAgent({ uri: url, ...token, ...waits, requestTls: secure });
  }
  return new Agent({
    ...waits,
    connect: { ...secure, timeout: 0, ...(unixSocket === null ? {} : { socketPath: unixSocket }) },
  });
}

export function basicToken(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
