import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excerpt } from '../../src/engine/conclude/excerpt.ts';
import { compileLineRules, originRules } from '../../src/engine/recognize/compile.ts';
import { recognizeLines } from '../../src/engine/recognize/recognize-lines.ts';
import { createRedactor } from '../../src/redaction/redactor.ts';
import { batchHeader, wholeBatch } from '../support/cut-text.ts';
import { anyExamples, corpusOf, lineMatch, ruleFile } from '../support/rule-files.ts';

const rule = ruleFile('lost', {
  match: lineMatch({ keywords: ['has fallen off'], pattern: 'GPU (?P<pci>[0-9A-Fa-f:]+)\\.0: has fallen off' }),
  examples: anyExamples,
});
const rules = originRules(compileLineRules(corpusOf(rule)), 'kernel');
const header = batchHeader({ origin: 'kernel', format: 'dmesg' });
const redact = createRedactor({ enabled: true, userNames: [] });

const fault = 'GPU 0000:b3:00.0: has fallen off';
const secret = 'QJZvXKwqYG';
const pieceBytes = 64 * 1024;

/** Each with the secret in it, and what may stand around it. */
const forms = [
  `DB_PASSWORD=${secret}`,
  `password: ${secret}`,
  `db.password = ${secret}`,
  `{"x": 1, "password": "${secret} ${secret}", "y": 2}`,
  `"{\\"api_key\\": \\"${secret}\\"}"`,
  `env={'API_KEY': '${secret} ${secret}', 'A': '1'}`,
  `(b'x-api-key', b'${secret} ${secret}')`,
  `nats://reader:${secret}@10.0.0.1:4222`,
  `authorization: Basic ${Buffer.from(`reader:${secret}`).toString('base64')}`,
  `--registry-password ${secret}`,
  `machine example.org login reader password ${secret}`,
  `{"name": "DB_PASSWORD", "value": "${secret}"}`,
  `https://10.0.0.1/v2/?a=1&x-amz-signature=${secret}&b=2`,
];
const shown = [secret, Buffer.from(`reader:${secret}`).toString('base64')];

/** Nothing of the secret that is long enough to be of use. */
function assertHidden(text: string, says: string): void {
  for (const whole of shown) {
    for (let at = 0; at + 5 <= whole.length; at += 1) {
      const part = whole.slice(at, at + 5);
      assert.ok(!text.includes(part), `${says}: ${part} is in ${text.slice(0, 300)}`);
    }
  }
}

function assertClean(line: string, says: string): void {
  const [hit] = recognizeLines(wholeBatch(`${line}\n`, header), rules);
  assert.ok(hit, says);
  for (const text of [
    redact(hit.text),
    redact(excerpt(hit.text, '0000:b3:00')),
    redact(excerpt(hit.text, null)),
  ])
    assertHidden(text, says);
}

const words = (length: number): string => 'step '.repeat(Math.ceil(length / 5)).slice(0, length);

/** Lengths between form and fault that put each place of a form on a cut; and a few around it. */
function* slides(form: string, cut: number): Generator<number> {
  for (let at = -2; at <= form.length + 2; at += 1) yield Math.max(1, cut - form.length + at);
}

test('a secret that a split of a long line parts from its name is in no excerpt', () => {
  for (const form of forms) {
    for (let at = 0; at <= form.length; at += 1) {
      assertClean(`${words(pieceBytes - at - 1)} ${form} on node-01, ${fault}.`, `split at ${at} of ${form}`);
      const tail = `${fault} on node-01, ${form}`;
      const before = pieceBytes - (tail.length - at) - 1;
      assertClean(`${words(before)} ${tail} ${words(100)}`, `split behind at ${at} of ${form}`);
    }
  }
});

test('a secret at the end of what a pattern sees, or of what is kept, is in no excerpt', () => {
  for (const form of forms) {
    for (const cut of [8_192, 2_032, 128]) {
      for (const gap of slides(form, cut)) {
        const before = `${words(20_000)} ${form}${words(gap).replace(/^s/, ' ')}`;
        assertClean(`${before} ${fault} ${words(20_000)}`, `${cut} before, ${gap}: ${form}`);
      }
    }
    for (const cut of [8_192, 2_032, 1_024 - 128, 1_024]) {
      for (const gap of slides(form, cut)) {
        assertClean(`${fault} ${words(gap)} ${form} ${words(20_000)}`, `${cut} behind, ${gap}: ${form}`);
      }
    }
  }
});

test('what is not cut is shown whole', () => {
  const line = `step 1 on node-01, ${fault}, step 2`;
  const [hit] = recognizeLines(wholeBatch(`${line}\n`, header), rules);
  assert.equal(hit?.text, line);
});
