import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fakeClock } from '../../../tests/support/fake-clock.ts';
import {
  guilty,
  namesOf,
  providerSuite,
  suiteContext,
  suiteRequest,
} from '../../../tests/support/provider-suite.ts';
import { rememberedLog } from '../../../tests/support/remembered-log.ts';
import { checkout, temporaryFolder } from '../../../tests/support/service.ts';
import { StartupError } from '../../core/errors.ts';
import type { Provider } from '../../core/ports.ts';
import { openModuleProvider } from './module-provider.ts';

const blaming = `
export function createProvider({ node }) {
  return {
    attribute(request, context) {
      const outcome = {
        findings: [{
          target: { type: 'Node', node },
          category: 'accelerator_gpu',
          evidence: [{ kind: 'note', source: 'module', message: 'I say so' }],
        }],
        coverage: [{ source: 'module', origin: 'health', groups: [{ status: 'unknown' }] }],
      };
      context.report(outcome);
      return outcome;
    },
  };
}`;

providerSuite('module provider', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-module-'));
  writeFileSync(join(folder, 'blaming.mjs'), blaming);
  return {
    flags: {
      'provider.kind': 'module',
      'provider.module.path': join(folder, 'blaming.mjs'),
      'provider.module.settings': { node: guilty },
    },
    end: async () => rmSync(folder, { recursive: true }),
  };
});

type Context = Parameters<typeof temporaryFolder>[0];
let count = 0;

async function open(context: Context, text: string, settings: Record<string, unknown> = {}): Promise<Provider> {
  count += 1;
  const path = join(temporaryFolder(context), `module-${count}.mjs`);
  writeFileSync(path, text);
  return openModuleProvider({ path, settings }, { clock: fakeClock(), log: rememberedLog() });
}

const provider = (attribute: string): string => `export const createProvider = () => ({ ${attribute} });`;

test('the example of the guide does what the guide says', async context => {
  const guide = readFileSync(join(checkout, 'docs/guides/own-provider.md'), 'utf8');
  const example = /```js\n(\/\/ duty-roster\.mjs\n[\s\S]*?)```/.exec(guide)?.[1];
  assert.ok(example);
  const roster = join(temporaryFolder(context), 'known-bad-nodes.json');
  writeFileSync(roster, '["node-02","node-99"]');
  const duty = await open(context, example, { roster });
  const outcome = await duty.attribute(suiteRequest(), suiteContext());
  assert.deepEqual(namesOf(outcome), ['node-02']);
  assert.deepEqual(outcome.findings[0]?.evidence[0]?.reference, { kind: 'file', path: roster, line: 1 });
});

test('a module that cannot be used stops start-up with one line', async context => {
  const problems: readonly (readonly [string, RegExp])[] = [
    ['export const other = 1;', /does not export a function named createProvider$/],
    ['export const createProvider = 1;', /does not export a function named createProvider$/],
    ['export {', /cannot be loaded: /],
    ["throw new Error('no licence\\nsecond line');", /cannot be loaded: no licence$/],
    ["import 'a-package-nobody-has';", /cannot be loaded: Cannot find package 'a-package-nobody-has'/],
    ["export const createProvider = () => { throw new Error('no licence'); };", /failed: no licence$/],
    ["export const createProvider = async () => Promise.reject('why');", /failed: why$/],
    ['export const createProvider = () => null;', /returned is no object$/],
    ['export const createProvider = () => ({});', /has no function named attribute$/],
    [provider('attribute() {}, close: 1'), /has a close that is no function$/],
    [provider('attribute() {}, corpusHash: 1'), /has a corpusHash that is no text$/],
  ];
  for (const [text, message] of problems) {
    await assert.rejects(open(context, text), (error: unknown) => {
      assert.ok(error instanceof StartupError);
      assert.match(error.message, message);
      assert.match(error.message, /^provider\.module\.path: \S/);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    });
  }
});

test('a module that is not there, or not named, stops start-up', async () => {
  const tools = { clock: fakeClock(), log: rememberedLog() };
  for (const path of ['', '/nowhere/provider.mjs', './nowhere.mjs', 'a-package-nobody-has']) {
    await assert.rejects(openModuleProvider({ path, settings: {} }, tools), {
      name: StartupError.name,
      message: /^provider\.module\.path/,
    });
  }
});

test('a module that takes for ever to start is not waited for', async context => {
  const path = join(temporaryFolder(context), 'waiting.mjs');
  writeFileSync(path, 'export const createProvider = () => new Promise(() => {});');
  const clock = fakeClock();
  const opening = openModuleProvider({ path, settings: {} }, { clock, log: rememberedLog() });
  const refused = assert.rejects(opening, { message: /nothing after 30 seconds$/ });
  while (clock.pending() === 0) await clock.advance(0);
  await clock.advance(30_000);
  await refused;
});

test('malformed outcomes fail the request, and the log says where without a value', async context => {
  const malformed = [
    'undefined',
    '"node-01 is bad"',
    '{ findings: [] }',
    '{ coverage: [], findings: [{ target: "node-01" }] }',
    '{ get coverage() { throw new Error("node-01"); } }',
  ];
  for (const returned of malformed) {
    const broken = await open(context, provider(`attribute: () => (${returned})`));
    const log = rememberedLog();
    await assert.rejects(broken.attribute(suiteRequest(), { ...suiteContext(), log }));
    const [line] = log.lines;
    assert.match(String(line?.fields['problem']), /^outcome/);
    assert.doesNotMatch(String(line?.fields['problem']), /node-01/);
  }
});

test('a malformed report is refused to the module and goes nowhere', async context => {
  const reporting = await open(
    context,
    provider('attribute(_, { report }) { try { report({}); } catch {} return { coverage: [] }; }'),
  );
  const asked = suiteContext();
  await reporting.attribute(suiteRequest(), asked);
  assert.deepEqual(asked.reported, []);
});

test('a module that fails to close ends nothing else', async context => {
  const stubborn = await open(context, provider('attribute() {}, close() { throw new Error("no"); }'));
  await stubborn.close?.();
});
