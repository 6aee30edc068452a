/** How one kind of secret looks. `keep` is a named group of what may stay: the name of a setting, a scheme, a domain. */
export interface SecretPattern {
  readonly name: string;
  /** Lower case; without one of them in the text the pattern is not tried. */
  readonly keywords: readonly string[];
  /** RE2 syntax; what it matches is replaced, but for the groups `keep` (before) and `after`. */
  readonly pattern: string;
  readonly ignoreCase: boolean;
}

/** Not part of a longer word or of a path such as /etc/passwd. */
const start = '(?:^|[^A-Za-z0-9_./-])';
/** Between the name of a setting and its value: quotes, perhaps escaped, and what stands for "is". */
const is = String.raw`\\*["']?\s*(?:[=:]|=>|\\u003[dD])\s*`;
/** An excerpt may end before the quote does. */
const value = String.raw`(?:b?\\*"[^"\n]*(?:"|\z)|b?\\*'[^'\n]*(?:'|\z)|[^\s,;&"']+)`;
const longValue = String.raw`(?:b?\\*["'])?(?:[0-9]*[A-Za-z_+/.=-][^\s,;&"']{7,})["']?`;
const schemes = 'basic|bearer|digest|negotiate|token|apikey|key|aws4-hmac-sha256';
const certain =
  'password|passwd|passphrase|pwd|secret|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|credentials?|x-amz-signature';

/** Tried in this order: whole blocks first, then what stands beside a name, then what is known by its own shape. */
export const secretPatterns: readonly SecretPattern[] = [
  {
    name: 'private key',
    keywords: ['private key'],
    pattern: String.raw`(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)`,
    ignoreCase: false,
  },
  {
    name: 'password in a URL',
    keywords: ['://'],
    // nats://reader:hunter2@10.0.0.1:4222; with a slash in it, unless a port stands before the slash
    pattern: String.raw`(?P<keep>://[^\s:/@[]*:)(?:[^\s/]*|[^\s/@]*[^\s/@0-9][^\s/@]*/[^\s@"']*)(?P<after>@)`,
    ignoreCase: false,
  },
  {
    name: 'token in a URL',
    keywords: ['://'],
    // https://0123456789abcdef0123@registry.example.org/v2/
    pattern: String.raw`(?P<keep>://)[^\s:/@]{16,}(?P<after>@)`,
    ignoreCase: false,
  },
  {
    name: 'authorization header',
    keywords: ['authorization'],
    // authorization: Basic dXNlcjE6aHVudGVyMg==
    pattern: `(?P<keep>authorization(?:${is}|\\\\*["'],\\s*)(?:b?\\\\*["'])?(?:(?:${schemes})\\s+)?)[^\\s"',;]+(?:,\\s*[A-Za-z-]+=[^\\s"',;]+)*`,
    ignoreCase: true,
  },
  {
    name: 'bearer token',
    keywords: ['bearer'],
    pattern: String.raw`(?P<keep>\bbearer\s+)[A-Za-z0-9._~+/=-]{8,}`,
    ignoreCase: true,
  },
  {
    name: 'cookie',
    keywords: ['cookie'],
    // Cookie: theme=dark; sid=0123abcd
    pattern: `(?P<keep>\\bcookie${is}(?:b?\\\\*["'])?)[^\\s=;"',]+=[^\\s;"',]*(?:;\\s*[^\\s=;"',]+(?:=[^\\s;"',]*)?)*`,
    ignoreCase: true,
  },
  {
    name: 'setting in a list',
    keywords: ['value'],
    // {"name": "DB_PASSWORD", "value": "hunter2"}, and the same over two lines of YAML
    pattern: `(?P<keep>name${is}\\\\*["']?[A-Za-z0-9_.-]*(?:${certain}|token)[A-Za-z0-9_]*\\\\*["']?\\s*,?\\s*\\\\*["']?value${is})${value}`,
    ignoreCase: true,
  },
  {
    name: 'setting in a pair',
    keywords: ['pass', 'pwd', 'secret', 'key', 'token', 'credential'],
    // (b'x-api-key', b'hunter2')
    pattern: `(?P<keep>(?:${certain}|token)[A-Za-z0-9_]*\\\\*["'],\\s*)b?\\\\*["'][^"'\\n]+(?P<after>["']\\s*[)\\]]|\\z)`,
    ignoreCase: true,
  },
  {
    name: 'setting',
    keywords: ['pass', 'pwd', 'secret', 'key', 'credential', 'amz'],
    // WANDB_API_KEY=0123abcd, "password": "hunter2", ?x-amz-signature=00ff
    pattern: `(?P<keep>${start}["']?[A-Za-z0-9_.-]*(?:${certain})[A-Za-z0-9_]*${is})${value}`,
    ignoreCase: true,
  },
  {
    name: 'password of a login',
    keywords: ['login', 'sshpass', '-u ', '--user'],
    // machine example.org login reader password hunter2; curl -u reader:hunter2; sshpass -p hunter2
    pattern: String.raw`(?P<keep>\blogin\s+\S+\s+password\s+|\bsshpass\s+-p\s*|\s(?:-u|--user)[= ]["']?[^\s:"']+:)[^\s"']*[^\s"'0-9:][^\s"']*`,
    ignoreCase: false,
  },
  {
    name: 'signature in a URL',
    keywords: ['sig='],
    pattern: String.raw`(?P<keep>[?&]sig=)[^\s&"']+`,
    ignoreCase: true,
  },
  {
    name: 'token in an environment',
    keywords: ['token'],
    // HF_TOKEN=12345678
    pattern: `(?P<keep>${start}[A-Z0-9_]*TOKEN(?:=|\\\\u003[dD]))${value}`,
    ignoreCase: false,
  },
  {
    name: 'token setting',
    keywords: ['token'],
    // "access_token": "0123456789abcdef"; counts such as token=4096 stay
    pattern: `(?P<keep>${start}["']?[A-Za-z0-9_.-]*token${is})${longValue}`,
    ignoreCase: true,
  },
  {
    name: 'command line option',
    keywords: ['--'],
    // --registry-password hunter2
    pattern: String.raw`(?P<keep>--[A-Za-z0-9-]*(?:password|passwd|passphrase|secret|token|api-?key)[= ])[^\s"']+`,
    ignoreCase: true,
  },
  {
    name: 'token of a known service',
    keywords: [
      'sk-',
      'sk_',
      'akia',
      'asia',
      'gh',
      'github_pat_',
      'glpat-',
      'hf_',
      'xox',
      'nvapi-',
      'aiza',
      'npm_',
      'pypi-',
      'ya29.',
      'hvs.',
      'dckr_pat_',
      'glrt-',
    ],
    pattern: String.raw`\b(?:sk[-_][A-Za-z0-9_-]{16,}|(?:AKIA|ASIA)[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}|glpat-[A-Za-z0-9_-]{16,}|hf_[A-Za-z0-9]{16,}|xox[abeprs]-[A-Za-z0-9-]{10,}|nvapi-[A-Za-z0-9_-]{16,}|AIza[0-9A-Za-z_-]{30,}|npm_[A-Za-z0-9]{16,}|pypi-[A-Za-z0-9_-]{16,}|ya29\.[A-Za-z0-9_-]{16,}|hvs\.[A-Za-z0-9_-]{16,}|dckr_pat_[A-Za-z0-9_-]{16,}|glrt-[A-Za-z0-9_-]{16,})`,
    ignoreCase: false,
  },
  {
    name: 'JSON web token',
    keywords: ['eyj'],
    pattern: String.raw`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?`,
    ignoreCase: false,
  },
  {
    name: 'e-mail address',
    keywords: ['@'],
    // The domain stays: user1@node-01.example.org also names a node.
    pattern: String.raw`[A-Za-z0-9._%+-]+(?P<after>@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,})`,
    ignoreCase: false,
  },
];
