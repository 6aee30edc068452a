import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { readSettings } from '../../src/config/read-settings.ts';
import { checkout, temporaryFolder } from '../support/service.ts';

const guide = readFileSync(join(checkout, 'docs/guides/write-a-rule.md'), 'utf8');
const blocks = [...guide.matchAll(/```(sh|console|yaml)\n([\s\S]*?)```/g)].map(([, kind = '', text = '']) => ({
  kind,
  text,
}));

test('a newcomer gets from a line to a rule in force by typing what the guide says', {
  timeout: 240_000,
}, async context => {
  const type = shellIn(context);
  for (const { kind, text } of blocks) {
    if (kind === 'sh') await type(text);
    else if (kind === 'console') await assertTranscript(text, type);
    else if (text.startsWith('id: ')) await type(`cat > my-rules/site/coolant-lost.yaml <<'EOF'\n${text}EOF`);
  }
});

test('every configuration that the guide shows is one', () => {
  const shown = blocks.filter(({ kind, text }) => kind === 'yaml' && !text.startsWith('id: '));
  assert.equal(shown.length, 2);
  for (const { text } of shown) {
    readSettings({ file: { path: 'config.yaml', text }, environment: {}, flags: {} });
  }
});

/** A shell in an empty folder, with the command of this checkout on the path; resolves to what is printed. */
function shellIn(context: TestContext): (commands: string) => Promise<string> {
  const folder = temporaryFolder(context);
  const bin = join(folder, '.bin');
  mkdirSync(bin);
  const command = join(bin, 'attribution-adapter');
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${join(checkout, 'src/main.ts')}' "$@"\n`);
  chmodSync(command, 0o755);
  return async commands => {
    const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
    const { stdout } = await promisify(execFile)('bash', ['-e', '-c', commands], { cwd: folder, env });
    return stdout.replaceAll(`${folder}/`, '');
  };
}

/** `$ command` and what it prints; an ellipsis stands for anything. */
async function assertTranscript(text: string, type: (commands: string) => Promise<string>): Promise<void> {
  for (const part of text.split(/^\$ /m).filter(each => each !== '')) {
    const [command = '', ...expected] = part.trimEnd().split('\n');
    const printed = (await type(command)).trimEnd();
    let from = 0;
    for (const piece of expected.join('\n').split('…')) {
      const at = printed.indexOf(piece.trim(), from);
      assert.ok(at >= 0, `${command} prints\n${printed}\nand not\n${piece}`);
      from = at + piece.trim().length;
    }
  }
}
