import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { caseFolder, post } from '../conformance/example.ts';
import { anyExamples, lineMatch, ruleFile } from '../support/rule-files.ts';
import { startService, temporaryFolder } from '../support/service.ts';

const request = JSON.parse(readFileSync(join(caseFolder, 'request.json'), 'utf8')) as object;
const own = ruleFile('site/door', {
  match: lineMatch({ keywords: ['site-watch: door'], pattern: 'site-watch: door open' }),
  examples: anyExamples,
});

/** Resolves once the log holds a text; the test's own time limit ends the waiting. */
async function logged(stderr: () => string, text: string): Promise<void> {
  while (!stderr().includes(text)) await new Promise(resolve => setTimeout(resolve, 20));
}

/** A service over a recorded failure, with a rule of the site's own. */
async function serviceWithOwnRule(context: TestContext) {
  const folder = temporaryFolder(context);
  const rules = join(folder, 'rules');
  mkdirSync(join(rules, 'site'), { recursive: true });
  writeFileSync(join(rules, own.path), own.text);
  const config = join(folder, 'config.yaml');
  writeFileSync(config, `rules:\n  directories: [${rules}]\n`);
  const service = await startService(
    ['--evidence', join(caseFolder, 'evidence'), '--state', join(folder, 'state')],
    { ATTRIBUTION_CONFIG: config },
  );
  context.after(() => service.kill());
  return { service, config, rules, rule: join(rules, own.path) };
}

test('SIGHUP reads rules and settings again; a broken file leaves the old rules in force and is told', {
  timeout: 60_000,
}, async context => {
  const { service, config, rules, rule } = await serviceWithOwnRule(context);
  const answer = async () => {
    const { body } = await post(service.url, request);
    const cited = body.attributions.flatMap(({ evidence }) => evidence.map(({ message }) => message));
    return { version: body.service_version, xid: cited.some(message => message.includes('NVRM: Xid (PCI')) };
  };
  const before = await answer();
  assert.equal(before.xid, true);

  writeFileSync(rule, 'title: [');
  service.process.kill('SIGHUP');
  await logged(service.stderr, 'those before stay in force');
  assert.match(service.stderr(), /site\/door\.yaml:1:/);
  assert.deepEqual(await answer(), before);

  writeFileSync(rule, own.text);
  writeFileSync(config, `rules:\n  directories: [${rules}]\n  disable: [gpu/xid]\n`);
  service.process.kill('SIGHUP');
  await logged(service.stderr, 'the rules were read again');
  const after = await answer();
  assert.notEqual(after.version, before.version);
  assert.equal(after.xid, false);
  assert.equal(await service.stop(), 0);
});

test('requests that run while rules are read again are answered, by the old ones or the new', {
  timeout: 300_000,
}, async context => {
  const { service, rule } = await serviceWithOwnRule(context);
  // How fast they are answered is not the question. Each asks something else: the very same is analysed once.
  const patient = (index: number) => ({ ...request, timeout_ms: 200_000 + index });
  const before = await post(service.url, patient(0));
  const asking = Array.from({ length: 6 }, (_, index) => post(service.url, patient(index)));
  writeFileSync(rule, own.text.replace('GPU no longer', 'A GPU no longer'));
  service.process.kill('SIGHUP');
  const during = await Promise.all(asking);
  await logged(service.stderr, 'the rules were read again');
  const after = await post(service.url, patient(0));
  for (const { body } of [before, ...during, after]) {
    assert.equal(body.error, null);
    assert.deepEqual(
      body.attributions.map(({ target }) => target),
      [{ type: 'Node', node: 'node-03' }],
    );
  }
  assert.notEqual(after.body.service_version, before.body.service_version);
  assert.equal(await service.stop(), 0);
});
