import Type, { type Static } from 'typebox';
import { errorCategories } from '../contract/index.ts';
import { defaultReasoningSettings, type ReasoningSettings } from '../engine/context.ts';
import { providerKinds } from '../providers/provider-kinds.ts';
import { defaultWindowSettings } from '../providers/rules/windows.ts';
import { defaultSessionLimits } from '../sessions/session-limits.ts';
import { guardSettings, listenerSettings } from './listener-settings.ts';
import { postgresSettings } from './postgres-settings.ts';

const strict = { additionalProperties: false } as const;
const threshold = (name: keyof ReasoningSettings, description: string, minimum = 0, maximum = 2_147_483_647) =>
  Type.Integer({ default: defaultReasoningSettings[name], minimum, maximum, description });

const reasoningSettings = {
  sharedCauseNodes: threshold(
    'sharedCauseNodes',
    'The same symptom on this many nodes is one shared cause.',
    2,
  ),
  maxNamedNodes: threshold('maxNamedNodes', 'More nodes than this are never named.', 1, 16),
  maxUnattributed: threshold('maxUnattributed', 'Most unattributed_targets of an answer; 0 empties it.', 0, 64),
  maxEvidence: threshold('maxEvidence', 'Most evidence items of a finding, notes included.', 1, 100),
  survivedMs: threshold('survivedMs', 'Progress this much later than a fault shows that the run survived it.'),
  sameMomentMs: threshold('sameMomentMs', 'Independent faults this close to the first may each be named.'),
  stuckGraceMs: threshold(
    'stuckGraceMs',
    'A node may log its first sign this long after a collective got stuck.',
  ),
  applicationLeadMs: threshold(
    'applicationLeadMs',
    'An application error this much before any hardware sign is the cause.',
  ),
  lateReportMs: threshold('lateReportMs', 'A scheduler may report a lost node this late.'),
  detectionSlackMs: threshold(
    'detectionSlackMs',
    'What begins this long after the detection did not cause it.',
  ),
  bootQuietMs: threshold('bootQuietMs', 'Link and ambiguous symptoms this soon after a boot say nothing.'),
  flapMs: threshold('flapMs', 'A link that is up again this soon was not missed.'),
  maintenanceReachMs: threshold('maintenanceReachMs', 'A planned reboot excuses its node for this long.'),
} satisfies Record<keyof ReasoningSettings, unknown>;

const attributorSettings = Type.Object(
  {
    enabled: Type.Boolean({ default: false, description: 'Whether clients of the FACT dialect are served.' }),
    prefix: Type.String({
      default: '/latest',
      pattern: '^(/[A-Za-z0-9._~-]+)*$',
      description: 'Path below which its routes lie.',
    }),
    trust: Type.Enum(['kernel', 'job'], {
      default: 'kernel',
      description:
        'What pushed logs are that say nothing else: kernel logs, or job text that names nobody alone.',
    }),
    filtered: Type.Boolean({
      default: true,
      description: 'Whether senders leave lines out, as the public client does: then silence proves nothing.',
    }),
    timeoutMs: Type.Integer({
      default: 20_000,
      minimum: 1,
      maximum: 600_000,
      description: 'Longest time for reading an attribution.',
    }),
    bodyLimitBytes: Type.Integer({
      default: 16_777_216,
      minimum: 1024,
      maximum: 268_435_456,
      description: 'The most bytes of one observation.',
    }),
    ...guardSettings('attributor'),
  },
  strict,
);

const factSettings = Type.Object(
  {
    url: Type.String({
      default: '',
      description:
        'Address of the FACT service, where provider.kind is fact; without a path, /latest is meant.',
    }),
    requireReachable: Type.Boolean({
      default: true,
      description: 'Whether something must answer there before the service starts.',
    }),
    connection: Type.Record(Type.String(), Type.Unknown(), {
      default: {},
      description: 'authentication, tls, headers, proxy and so on, as for a source behind HTTP.',
    }),
    origins: Type.Array(Type.Enum(['kernel', 'scheduler', 'health', 'job']), {
      default: ['kernel', 'scheduler', 'health', 'job'],
      description: 'Which logs are submitted.',
    }),
    bytesPerNode: Type.Integer({
      default: 1_048_576,
      minimum: 1024,
      maximum: 67_108_864,
      description: 'The most bytes of lines submitted for one node, the newest first.',
    }),
    callTimeoutMs: Type.Integer({
      default: 60_000,
      minimum: 1,
      maximum: 600_000,
      description: 'Longest time for one call.',
    }),
    atOnce: Type.Integer({ default: 16, minimum: 1, maximum: 256, description: 'Calls at once.' }),
    cluster: Type.String({ default: 'unknown', description: 'Name of the cluster, for its records.' }),
    tenant: Type.String({ default: 'unknown', description: 'Name of the tenant, for its records.' }),
    ruleset: Type.String({ default: 'default', description: 'Which of its rule sets is to judge.' }),
  },
  strict,
);

const atLeastOne = (description: string, fallback: number, maximum: number) =>
  Type.Integer({ default: fallback, minimum: 1, maximum, description });

const sessionSettings = Type.Object(
  {
    store: Type.Enum(['sqlite', 'postgres', 'memory'], {
      default: 'sqlite',
      description:
        'Where sessions and history live: embedded and durable, on a server that replicas share, or lost with the process.',
    }),
    days: atLeastOne('A session ends so many days after it was opened.', 30, 3_650),
    most: atLeastOne(
      'The most sessions kept; beyond them the oldest end. In memory never more than 10,000.',
      defaultSessionLimits.sessions,
      100_000_000,
    ),
    answers: atLeastOne(
      'The most answers kept with a session, the newest.',
      defaultSessionLimits.answers,
      10_000,
    ),
    bytes: Type.Integer({
      default: defaultSessionLimits.compressedBytes,
      minimum: 16_384,
      maximum: 16_777_216,
      description: 'The most bytes of a session, compressed; beyond them it gives up what matters least.',
    }),
  },
  strict,
);

/** Every setting, with its default and what it does: the one source of checks, documentation and JSON Schema. */
export const settingsSchema = Type.Object(
  {
    listen: Type.Object(
      {
        public: Type.String({
          default: '127.0.0.1:8000',
          description: 'Address of the contract: HOST:PORT or unix:/PATH.',
        }),
        operations: Type.String({
          default: '127.0.0.1:9464',
          minLength: 1,
          description: 'Address for those who run the service: readiness and history; or off.',
        }),
        attributor: Type.String({
          default: '127.0.0.1:8001',
          description: 'Address for clients that push their logs, where attributor.enabled is true.',
        }),
      },
      strict,
    ),
    trustedNetwork: Type.Boolean({
      default: false,
      description: 'Says that the network in front of a non-loopback address lets only trusted callers in.',
    }),
    ...listenerSettings,
    shadow: Type.Boolean({
      default: false,
      description: 'Whether answers are empty, and what they would have said only kept, for report.',
    }),
    state: Type.String({
      default: '',
      description: 'Folder of the embedded store; empty: the platform default.',
    }),
    sessions: sessionSettings,
    postgres: postgresSettings,
    attributor: attributorSettings,
    history: Type.Object(
      {
        enabled: Type.Boolean({
          default: true,
          description: 'Whether failures are remembered, so that errors that recur on a device count.',
        }),
        days: atLeastOne('Failures are remembered for so many days.', 14, 3_650),
        cluster: Type.String({
          default: 'unknown',
          minLength: 1,
          pattern: '^(?!shadow of )',
          description: 'Name under which they are remembered.',
        }),
        rows: Type.Integer({
          default: 200_000,
          minimum: 1,
          maximum: 10_000_000,
          description: 'The most rows kept, one a failed attempt, node and device.',
        }),
      },
      strict,
    ),
    audit: Type.Object(
      {
        enabled: Type.Boolean({
          default: true,
          description: 'Whether answers are kept with what they were made from, for show.',
        }),
        days: Type.Integer({
          default: 400,
          minimum: 1,
          maximum: 3_650,
          description: 'An answer is kept for so many days.',
        }),
        megabytes: Type.Integer({
          default: 1_024,
          minimum: 1,
          maximum: 1_048_576,
          description:
            'The most megabytes of answers, compressed; beyond them the oldest go. In memory never more than 64.',
        }),
      },
      strict,
    ),
    provider: Type.Object(
      {
        kind: Type.Enum(providerKinds, {
          default: 'rules',
          description:
            'What answers: the built-in rules, a remote FACT service, a module of your own, or a recording.',
        }),
        fact: factSettings,
        module: Type.Object(
          {
            path: Type.String({
              default: '',
              description: 'File or package that exports createProvider, where provider.kind is module.',
            }),
            settings: Type.Record(Type.String(), Type.Unknown(), {
              default: {},
              description: 'Handed to createProvider as they stand; name files for secrets.',
            }),
          },
          strict,
        ),
        replay: Type.Object(
          {
            path: Type.String({
              default: '',
              description: 'Recorded answer, folder of them, or case, where provider.kind is replay.',
            }),
          },
          strict,
        ),
      },
      strict,
    ),
    rules: Type.Object(
      {
        directories: Type.Array(Type.String({ minLength: 1 }), {
          default: [],
          description:
            'Folders of rules of your own, over those that ship: the same path takes the place of theirs.',
        }),
        disable: Type.Array(Type.String({ minLength: 1 }), {
          default: [],
          description: 'Rules that are left out, by id, and codes, such as xid-79.',
        }),
        workers: Type.Integer({
          default: 0,
          minimum: 0,
          maximum: 256,
          description: 'Recognition workers; 0: one a core.',
        }),
      },
      strict,
    ),
    sources: Type.Array(
      Type.Object(
        { name: Type.String({ minLength: 1 }), kind: Type.String({ minLength: 1 }) },
        { additionalProperties: true },
      ),
      { default: [], description: 'Where evidence comes from; each kind has settings of its own.' },
    ),
    window: Type.Object(
      {
        beforeMinutes: Type.Number({
          default: defaultWindowSettings.beforeMinutes,
          minimum: 0,
          maximum: 1440,
          description: 'Minutes a fast request looks back from the earliest reference time.',
        }),
        afterMinutes: Type.Number({
          default: defaultWindowSettings.afterMinutes,
          minimum: 0,
          maximum: 1440,
          description: 'Minutes it looks past the latest one.',
        }),
      },
      strict,
    ),
    deadline: Type.Object(
      {
        maxTimeoutMs: Type.Integer({
          default: 600_000,
          minimum: 1,
          maximum: 2_147_483_647,
          description: 'A longer timeout_ms is clamped to this many milliseconds.',
        }),
      },
      strict,
    ),
    reasoning: Type.Object(reasoningSettings, strict),
    contract: Type.Object(
      {
        naiveDatetimes: Type.Enum(['refuse', 'utc'], {
          default: 'refuse',
          description: 'Datetimes without an offset: refused, or read as UTC for a caller that sends them.',
        }),
        echoInput: Type.Boolean({ default: true, description: 'Whether a 422 repeats the offending input.' }),
        coverage: Type.Boolean({
          default: false,
          description: 'Whether answers also carry `coverage`, what each source proved; no published member.',
        }),
        categories: Type.Record(Type.String(), Type.String({ minLength: 1 }), {
          default: {},
          description: `Other words for error_category, by ours: ${errorCategories.join(', ')}.`,
        }),
      },
      strict,
    ),
    redaction: Type.Object(
      {
        enabled: Type.Boolean({ default: true, description: 'Removes secrets from what leaves the process.' }),
        userNames: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
          default: [],
          maxItems: 20,
          description: 'Patterns (RE2) of user names to remove: what they match, or of it the group `name`.',
        }),
      },
      strict,
    ),
    log: Type.Object(
      {
        level: Type.Enum(['debug', 'info', 'warn', 'error'], {
          default: 'info',
          description: 'Least level written.',
        }),
      },
      strict,
    ),
  },
  strict,
);

export type Settings = Static<typeof settingsSchema>;
