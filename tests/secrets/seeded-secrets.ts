import type { Random } from '../fuzz/random.ts';
import { randomOf } from '../fuzz/random.ts';

/** A secret as it is written somewhere: `text` holds it, `secret` must not be read out of what leaves. */
export interface SeededSecret {
  readonly form: string;
  readonly surrounding: string;
  readonly secret: string;
  readonly text: string;
}

/** One kind of secret: how it is made, and what stands beside it. */
interface Form {
  readonly name: string;
  secret(random: Random): string;
  write(secret: string): string;
}

const alphabets = {
  word: 'abcdefghijkmnopqrstuvwxyz',
  token: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  hex: '0123456789abcdef',
} as const;

function letters(random: Random, alphabet: keyof typeof alphabets, length: number): string {
  return Array.from({ length }, () => alphabets[alphabet][random.below(alphabets[alphabet].length)]).join('');
}

const token =
  (length: number, prefix = '', alphabet: keyof typeof alphabets = 'token') =>
  (random: Random): string =>
    prefix + letters(random, alphabet, length);
/** What people choose: a word, a digit, a sign. */
const password = (random: Random): string => `${letters(random, 'word', 8)}-${random.below(90) + 10}`;
const encoded = (text: string): string => Buffer.from(text).toString('base64');
const key = (random: Random): string => encoded(letters(random, 'token', 96));

export const forms: readonly Form[] = [
  { name: 'password in an environment', secret: password, write: secret => `DB_PASSWORD=${secret}` },
  { name: 'key of a service', secret: token(40, '', 'hex'), write: secret => `WANDB_API_KEY=${secret}` },
  { name: 'token in an environment', secret: token(20), write: secret => `MODEL_HUB_TOKEN=${secret}` },
  { name: 'id of a cloud key', secret: token(16, 'AKIA', 'upper'), write: secret => `aws id ${secret}` },
  { name: 'cloud key', secret: token(40), write: secret => `aws_secret_access_key = ${secret}` },
  { name: 'bearer token', secret: token(32), write: secret => `Authorization: Bearer ${secret}` },
  {
    name: 'basic credentials',
    secret: random => encoded(`user1:${password(random)}`),
    write: secret => `Authorization: Basic ${secret}`,
  },
  {
    name: 'password in a URL',
    secret: password,
    write: secret => `postgres://reader:${secret}@10.0.0.9:5432/runs`,
  },
  { name: 'token in a URL', secret: token(24), write: secret => `https://${secret}@registry.example.org/v2/` },
  {
    name: 'token in a query',
    secret: token(24),
    write: secret => `http://10.0.0.9/x?a=1&access_token=${secret}&b=2`,
  },
  {
    name: 'signature in a query',
    secret: token(64, '', 'hex'),
    write: secret => `https://s3/x?X-Amz-Signature=${secret}`,
  },
  {
    name: 'web token',
    secret: random => `eyJhbGciOiJIUzI1NiJ9.eyJ${letters(random, 'token', 30)}.${letters(random, 'token', 40)}`,
    write: secret => `session ${secret} ended`,
  },
  {
    name: 'private key',
    secret: key,
    write: secret => `-----BEGIN RSA PRIVATE KEY-----\n${secret}\n-----END RSA PRIVATE KEY-----`,
  },
  { name: 'token of a forge', secret: token(36, 'ghp_'), write: secret => `remote: ${secret}` },
  { name: 'token of a model hub', secret: token(34, 'hf_'), write: secret => `login ${secret}` },
  { name: 'token of a chat', secret: token(24, 'xoxb-1234-'), write: secret => `notify ${secret}` },
  { name: 'key of a map service', secret: token(35, 'AIza'), write: secret => `maps ${secret}` },
  { name: 'cookie', secret: token(20), write: secret => `Cookie: theme=dark; sid=${secret}` },
  {
    name: 'option of a command',
    secret: password,
    write: secret => `docker login --password ${secret} registry`,
  },
  { name: 'setting', secret: password, write: secret => `client_secret: ${secret}` },
];

/** Where a text stands, on one line: what a program does to it before it reaches a log. */
interface Surrounding {
  readonly name: string;
  place(text: string): string;
}

const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const onOneLine = (text: string): string => text.replaceAll('\n', '\\n');

export const surroundings: readonly Surrounding[] = [
  { name: 'a line', place: text => `said ${onOneLine(text)} and went on` },
  { name: 'JSON', place: text => JSON.stringify({ level: 'error', message: `failed: ${text}`, rank: 3 }) },
  {
    name: 'JSON inside JSON',
    place: text => JSON.stringify({ log: `${JSON.stringify({ message: text })}\n` }),
  },
  { name: 'a traceback', place: text => `RuntimeError('cannot start', {'cmd': '${json(text)}'})` },
  {
    name: 'a list of variables',
    place: text => `environ({'HOME': '/root', 'ARGS': '${onOneLine(text)}', 'LANG': 'C'})`,
  },
  { name: 'a command line', place: text => `bash -c "exec run '${onOneLine(text)}' --steps 10"` },
  { name: 'a request that was traced', place: text => `> POST /v1 HTTP/1.1\\r\\n> ${onOneLine(text)}\\r\\n>` },
  { name: 'a URL', place: text => `http://10.0.0.9/log?level=error&line=${encodeURIComponent(text)}&n=1` },
  { name: 'base64', place: text => `payload ${encoded(text)} dropped` },
  {
    name: 'terminal codes',
    place: text => onOneLine(text).replaceAll(/[A-Za-z]{4}/g, part => `${part}\u001b[1;31m\u001b[0m`),
  },
];

const seed = 6;

/** Every form in every surrounding, each with a secret of its own. */
export const seededSecrets: readonly SeededSecret[] = forms.flatMap((form, row) =>
  surroundings.map(({ name, place }, column): SeededSecret => {
    const secret = form.secret(randomOf(seed, form.name, row * surroundings.length + column));
    return { form: form.name, surrounding: name, secret, text: place(form.write(secret)) };
  }),
);

/**
 * How a secret can be read out of a text, or null: as it is, encoded as its surroundings encode it, or a stretch of it
 * that is long enough to help. What a prefix says of its kind is no part of it.
 */
export function leakOf({ secret, text }: SeededSecret, left: string): string | null {
  const bare = secret.replace(/^(?:AKIA|ghp_|hf_|xoxb-1234-|AIza|eyJhbGciOiJIUzI1NiJ9\.eyJ)/, '');
  const stretch = Math.min(bare.length, 12);
  for (let at = 0; at + stretch <= bare.length; at += 1) {
    const part = bare.slice(at, at + stretch);
    if (left.includes(part)) return part;
  }
  const wrapped = /payload (\S+) dropped/.exec(text)?.[1];
  return wrapped !== undefined && left.includes(wrapped.slice(0, 24)) ? wrapped : null;
}

/** What a verdict needs, and what looks like a secret and is none. */
export const facts = {
  node: 'node-07',
  pci: '0000:3b:00',
  xid: 79,
  hash: '0123456789abcdef0123456789abcdef01234567',
} as const;

/** A line of the kernel that convicts, with a text behind what it says. */
export function kernelLine(text: string): string {
  return `NVRM: Xid (PCI:${facts.pci}): ${facts.xid}, pid=4711, name=python3, GPU has fallen off the bus. build ${facts.hash} of ${facts.node}: ${text}`;
}
