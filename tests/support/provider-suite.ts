import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openProvider } from '../../src/app/provider.ts';
import { readSettings } from '../../src/config/read-settings.ts';
import { type AttributionRequest, parseRequest } from '../../src/contract/index.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import type { Provider, ProviderContext } from '../../src/core/ports.ts';
import type { Session } from '../../src/core/session.ts';
import { providerKinds } from '../../src/providers/provider-kinds.ts';
import { readOutcome } from '../../src/providers/read-outcome.ts';
import { systemClock } from '../../src/telemetry/system-clock.ts';
import { sampleSession } from './sample-session.ts';
import { checkout } from './service.ts';
import { silentLog } from './silent-log.ts';

/** The recorded failure that every provider is asked about; it must blame `guilty`. */
export const suiteCase = join(checkout, 'cases/xid-79-while-peers-time-out');
export const guilty = 'node-03';
const caseNow = 1_772_446_800_000_000_000n;

/** How a provider is configured: settings by dotted path, and folders of evidence. */
export interface ProviderSetUp {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly folders?: readonly string[];
  /** Ends what the test started for it. */
  readonly end?: () => Promise<void>;
}

export type SetUpProvider = () => Promise<ProviderSetUp>;

/** Opens a provider as the service does. */
export async function openConfigured({ flags, folders = [] }: ProviderSetUp): Promise<Provider> {
  const { settings } = readSettings({ file: null, environment: {}, flags: { 'rules.workers': 1, ...flags } });
  return openProvider(settings, folders, { clock: systemClock, log: silentLog, packageVersion: '0.0.0' });
}

export function suiteRequest(change: Partial<AttributionRequest> = {}): AttributionRequest {
  const body = readFileSync(join(suiteCase, 'request.json'));
  const parsed = parseRequest(body, 'application/json', { naiveDatetimes: 'refuse', echoInput: true });
  assert.ok(parsed.ok);
  return { ...parsed.request, ...change };
}

export interface SuiteContext extends ProviderContext {
  readonly reported: readonly Outcome[];
}

export function suiteContext(
  change: { readonly soft?: AbortSignal; readonly session?: Session } = {},
): SuiteContext {
  const reported: Outcome[] = [];
  const session = sampleSession('s', { moment: caseNow, windows: [], symptoms: [], corpusHash: null });
  return {
    session: { session: change.session ?? session, keep: () => {} },
    now: caseNow,
    soft: change.soft ?? new AbortController().signal,
    report: outcome => reported.push(outcome),
    log: silentLog,
    reported,
  };
}

export const namesOf = ({ findings }: Outcome): readonly string[] =>
  findings.map(({ target }) => (target.type === 'Node' ? target.node : 'job'));

/** What every provider promises; run from each provider's own test file. */
export function providerSuite(name: string, setUp: SetUpProvider): void {
  function check(claim: string, run: (provider: Provider) => Promise<void>): void {
    test(`${name}: ${claim}`, async () => {
      const prepared = await setUp();
      try {
        const provider = await openConfigured(prepared);
        try {
          await run(provider);
        } finally {
          await provider.close?.();
        }
      } finally {
        await prepared.end?.();
      }
    });
  }

  check('its kind is on the list', async provider => {
    assert.ok((providerKinds as readonly string[]).includes(provider.kind));
  });

  check('it names the node at fault, with evidence and coverage', async provider => {
    const outcome = await provider.attribute(suiteRequest(), suiteContext());
    assert.equal(outcome.problem, null);
    assert.deepEqual(namesOf(outcome), [guilty]);
    assert.deepEqual(
      outcome.findings.map(finding => finding.category),
      ['accelerator_gpu'],
    );
    assert.ok(outcome.coverage.length > 0);
  });

  check('its outcome and what it reports have the shape of an outcome', async provider => {
    const context = suiteContext();
    const outcome = await provider.attribute(suiteRequest(), context);
    for (const each of [outcome, ...context.reported])
      assert.deepEqual(readOutcome(each), { ok: true, outcome: each });
  });

  check('it names no node outside the scope', async provider => {
    const { scope } = suiteRequest();
    const nodes = scope.nodes.filter(node => node !== guilty);
    const outcome = await provider.attribute(suiteRequest({ scope: { ...scope, nodes } }), suiteContext());
    assert.ok(!namesOf(outcome).includes(guilty));
  });

  check('it spells nodes as the scope does', async provider => {
    const { scope } = suiteRequest();
    const nodes = scope.nodes.map(node => `${node}.cluster.example`);
    const outcome = await provider.attribute(suiteRequest({ scope: { ...scope, nodes } }), suiteContext());
    assert.deepEqual(namesOf(outcome), [`${guilty}.cluster.example`]);
  });

  check('requests at once get their own answers', async provider => {
    const { scope } = suiteRequest();
    const others = scope.nodes.filter(node => node !== guilty);
    const [first, second, third] = await Promise.all([
      provider.attribute(suiteRequest(), suiteContext()),
      provider.attribute(suiteRequest({ scope: { ...scope, nodes: others } }), suiteContext()),
      provider.attribute(suiteRequest(), suiteContext()),
    ]);
    assert.deepEqual(namesOf(first), [guilty]);
    assert.ok(!namesOf(second).includes(guilty));
    assert.deepEqual(first.findings, third.findings);
  });

  check('a request whose time is up is given back soon', async provider => {
    const soft = AbortSignal.abort();
    const settled = provider.attribute(suiteRequest(), suiteContext({ soft })).then(
      outcome => readOutcome(outcome).ok,
      error => error instanceof Error,
    );
    assert.equal(await Promise.race([settled, afterSeconds(10)]), true);
  });

  check('a slow request without a session of its own is answered', async provider => {
    const request = suiteRequest({ phase: 'slow' });
    const { detectedAt } = request.failureContext;
    const scope = { ...request.scope, startTime: detectedAt, endTime: detectedAt + 60_000_000_000n };
    assert.ok(readOutcome(await provider.attribute({ ...request, scope }, suiteContext())).ok);
  });

  check('it changes neither request nor session', async provider => {
    const request = deepFreeze(suiteRequest());
    const { session } = suiteContext().session;
    await provider.attribute(request, suiteContext({ session: deepFreeze(session) }));
    assert.deepEqual(request, suiteRequest());
  });
}

async function afterSeconds(seconds: number): Promise<'late'> {
  return new Promise(resolve => {
    setTimeout(() => resolve('late'), seconds * 1000).unref();
  });
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}
