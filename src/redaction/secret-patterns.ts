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
const value = String.raw`(?:"[^"\n]*"|'[^'\n]*'|[^\s,;&"']+)`;
const longValue = String.raw`["']?(?:[0-9]*[A-Za-z_+/.=-][^\s,;&"']{7,})["']?`;
const certain =
  'password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|credentials?|x-amz-signature';

/** Tried in this order: whole blocks first, then what stands beside a name, then what is known by its own shape. */
export const secretPatterns: readonly SecretPattern[] = [
  {
    name: 'private key',
    keywords: ['private key'],
    pattern: String.raw`(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\z)`,
    ignoreCase: false,
  },
  {
    name: 'password in a URL',
    keywords: ['://'],
    // nats://reader:hunter2@10.0.0.1:4222
    pattern: String.raw`(?P<keep>://[^\s:/@]*:)[^\s/]*(?P<after>@)`,
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
    pattern: String.raw`(?P<keep>authorization["']?\s*[:=]\s*["']?(?:(?:basic|bearer|digest|negotiate|token)\s+)?)[^\s"',;]+`,
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
    pattern: String.raw`(?P<keep>\bcookie\s*:\s*)[^\n]+`,
    ignoreCase: true,
  },
  {
    name: 'setting',
    keywords: ['pass', 'secret', 'key', 'credential', 'amz'],
    // WANDB_API_KEY=0123abcd, "password": "hunter2", ?x-amz-signature=00ff
    pattern: `(?P<keep>${start}["']?[A-Za-z0-9_.-]*(?:${certain})[A-Za-z0-9_]*["']?\\s*[=:]\\s*)${value}`,
    ignoreCase: true,
  },
  {
    name: 'token in an environment',
    keywords: ['token'],
    // HF_TOKEN=12345678
    pattern: `(?P<keep>${start}[A-Z0-9_]*TOKEN=)${value}`,
    ignoreCase: false,
  },
  {
    name: 'token setting',
    keywords: ['token'],
    // "access_token": "0123456789abcdef"; counts such as token=4096 stay
    pattern: `(?P<keep>${start}["']?[A-Za-z0-9_.-]*token["']?\\s*[=:]\\s*)${longValue}`,
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
    ],
    pattern: String.raw`\b(?:sk[-_][A-Za-z0-9_-]{16,}|(?:AKIA|ASIA)[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}|glpat-[A-Za-z0-9_-]{16,}|hf_[A-Za-z0-9]{16,}|xox[abeprs]-[A-Za-z0-9-]{10,}|nvapi-[A-Za-z0-9_-]{16,}|AIza[0-9A-Za-z_-]{30,}|npm_[A-Za-z0-9]{16,}|pypi-[A-Za-z0-9_-]{16,})`,
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
