import Type from 'typebox';
import type { Origin } from '../../core/batch.ts';
import { StartupError } from '../../core/errors.ts';
import { parseHttpSettings } from '../../evidence/http-client/parse-settings.ts';
import {
  connectionProperties,
  type HttpSettings,
  type WrittenConnection,
} from '../../evidence/http-client/settings.ts';
import { shapeProblems } from '../../evidence/shape-problems.ts';

/** As an operator writes them below `provider.fact`. */
export interface WrittenFactSettings {
  readonly url: string;
  readonly requireReachable: boolean;
  /** Authentication, TLS, headers, proxy: what any source behind HTTP has. */
  readonly connection: Readonly<Record<string, unknown>>;
  readonly origins: readonly string[];
  readonly bytesPerNode: number;
  readonly callTimeoutMs: number;
  readonly atOnce: number;
  readonly cluster: string;
  readonly tenant: string;
  readonly ruleset: string;
}

export interface FactSettings {
  /** The url has the path below which the three routes lie. */
  readonly http: HttpSettings;
  readonly requireReachable: boolean;
  /** Which logs are submitted. */
  readonly origins: ReadonlySet<Origin>;
  /** The most bytes of log lines submitted for one node, the newest first. */
  readonly bytesPerNode: number;
  readonly cluster: string;
  readonly tenant: string;
  readonly ruleset: string;
}

/** The path that clients of the dialect append where an address has none. */
const usualPath = '/latest';

const { url: _url, ...withoutUrl } = connectionProperties;
const connectionSchema = Type.Object(withoutUrl, { additionalProperties: false });

/** Checks the settings. Throws StartupError with every mistake, a line each. */
export function parseFactSettings(written: WrittenFactSettings): FactSettings {
  const place = 'provider.fact';
  if (written.url.trim() === '') {
    throw new StartupError(
      `${place}.url is empty: give the address of the FACT service, such as http://fact:8001`,
    );
  }
  const shape = shapeProblems(connectionSchema, written.connection);
  if (shape.length > 0) refuse(shape.map(problem => `${place}.connection.${problem}`));
  const parsed = parseHttpSettings({
    ...(written.connection as Omit<WrittenConnection, 'url'>),
    url: written.url.trim(),
    timeoutMs: written.callTimeoutMs,
    concurrency: written.atOnce,
  });
  if (!parsed.ok) {
    return refuse(
      parsed.problems.map(problem =>
        problem.startsWith('url:') ? `${place}.${problem}` : `${place}.connection.${problem}`,
      ),
    );
  }
  const { url } = parsed.settings;
  return {
    http: { ...parsed.settings, url: new URL(url).pathname === '/' ? `${url}${usualPath}` : url },
    requireReachable: written.requireReachable,
    origins: new Set(written.origins as readonly Origin[]),
    bytesPerNode: written.bytesPerNode,
    cluster: written.cluster,
    tenant: written.tenant,
    ruleset: written.ruleset,
  };
}

function refuse(problems: readonly string[]): never {
  throw new StartupError(problems.join('\n'));
}
