import { StartupError } from '../core/errors.ts';
import type { Source } from '../core/ports.ts';
import { createElasticsearchSource } from './elasticsearch/elasticsearch-source.ts';
import { parseElasticsearchSettings } from './elasticsearch/settings.ts';
import { createFilesSource } from './files/files-source.ts';
import type { FilesTools } from './files/reading.ts';
import { parseFilesSettings } from './files/settings.ts';
import type { HttpTools } from './http-client/http-client.ts';
import { createJournaldSource } from './journald/journald-source.ts';
import { parseJournaldSettings } from './journald/settings.ts';
import { createLokiSource } from './loki/loki-source.ts';
import { parseLokiSettings } from './loki/settings.ts';
import { createPrometheusSource } from './prometheus/prometheus-source.ts';
import { parsePrometheusSettings } from './prometheus/settings.ts';
import { parseSlurmSettings } from './slurm/settings.ts';
import { createSlurmSource } from './slurm/slurm-source.ts';
import { parseVictoriaLogsSettings } from './victorialogs/settings.ts';
import { createVictoriaLogsSource } from './victorialogs/victorialogs-source.ts';

/** What every source is handed from outside. */
export type SourceTools = FilesTools & Pick<HttpTools, 'random' | 'tracer'>;

/** What an operator wrote about one source, turned into a way to open it; or sentences on what is wrong with it. */
export type ParsedSource =
  | { readonly ok: true; readonly open: (tools: SourceTools) => Source }
  | { readonly ok: false; readonly problems: readonly string[] };

export interface SourceKind {
  readonly kind: string;
  parse(settings: unknown): ParsedSource;
}

/** Every kind of source; a test compares this list with the folder. */
export const sourceKinds: readonly SourceKind[] = [
  {
    kind: 'files',
    parse(written) {
      const parsed = parseFilesSettings(written);
      return parsed.ok ? { ok: true, open: tools => createFilesSource(parsed.settings, tools) } : parsed;
    },
  },
  {
    kind: 'journald',
    parse(written) {
      const parsed = parseJournaldSettings(written);
      return parsed.ok ? { ok: true, open: tools => createJournaldSource(parsed.settings, tools) } : parsed;
    },
  },
  {
    kind: 'loki',
    parse(written) {
      const parsed = parseLokiSettings(written);
      return parsed.ok ? { ok: true, open: tools => createLokiSource(parsed.settings, tools) } : parsed;
    },
  },
  {
    kind: 'prometheus',
    parse(written) {
      const parsed = parsePrometheusSettings(written);
      return parsed.ok ? { ok: true, open: tools => createPrometheusSource(parsed.settings, tools) } : parsed;
    },
  },
  {
    kind: 'slurm',
    parse(written) {
      const parsed = parseSlurmSettings(written);
      return parsed.ok ? { ok: true, open: tools => createSlurmSource(parsed.settings, tools) } : parsed;
    },
  },
  {
    kind: 'victorialogs',
    parse(written) {
      const parsed = parseVictoriaLogsSettings(written);
      return parsed.ok ? { ok: true, open: tools => createVictoriaLogsSource(parsed.settings, tools) } : parsed;
    },
  },
  {
    kind: 'elasticsearch',
    parse(written) {
      const parsed = parseElasticsearchSettings(written);
      return parsed.ok
        ? { ok: true, open: tools => createElasticsearchSource(parsed.settings, tools) }
        : parsed;
    },
  },
];

type WrittenSource = { readonly kind: string; readonly [setting: string]: unknown };

/** Reads what an operator wrote about one source, without opening anything. */
export function parseSource(written: WrittenSource): ParsedSource {
  const kind = sourceKinds.find(candidate => candidate.kind === written.kind);
  if (kind !== undefined) return kind.parse(written);
  const known = sourceKinds.map(candidate => candidate.kind).join(', ');
  return { ok: false, problems: [`kind: "${written.kind}" is no kind of source: known are ${known}`] };
}

/**
 * Opens one configured source. Throws StartupError with every mistake, a line each, below `place` (`sources.0`).
 */
export function createSource(written: WrittenSource, place: string, tools: SourceTools): Source {
  const parsed = parseSource(written);
  if (parsed.ok) return parsed.open(tools);
  throw new StartupError(parsed.problems.map(problem => `${place}: ${problem}`).join('\n'));
}
