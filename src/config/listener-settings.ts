import Type from 'typebox';

const strict = { additionalProperties: false } as const;

/** What keeps strangers from one listener. */
export const guardSettings = (listener: string) => ({
  tls: Type.Object(
    {
      certificate: Type.String({
        default: '',
        description: `PEM file of the certificate chain of the ${listener} listener; empty: it speaks plain HTTP.`,
      }),
      key: Type.String({ default: '', description: 'PEM file of its key.' }),
      clientAuthority: Type.String({
        default: '',
        description:
          'PEM file of the authorities whose client certificates are let in; empty: none is asked for.',
      }),
    },
    strict,
  ),
  callers: Type.Object(
    {
      tokens: Type.Array(
        Type.Object(
          {
            name: Type.String({ minLength: 1, maxLength: 64 }),
            sha256: Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' }), { minItems: 1, maxItems: 2 }),
          },
          strict,
        ),
        {
          default: [],
          description: `Callers of the ${listener} listener by name, each with the SHA-256 of its bearer token (two while one replaces the other); see "token".`,
        },
      ),
    },
    strict,
  ),
});

/** How callers reach the service, who they are, and how many requests it takes at once. */
export const listenerSettings = {
  ...guardSettings('public'),
  operations: Type.Object(guardSettings('operations'), strict),
  load: Type.Object(
    {
      analyses: Type.Integer({
        default: 16,
        minimum: 1,
        maximum: 10_000,
        description: 'Requests analysed at once; others wait, within their deadline.',
      }),
      requests: Type.Integer({
        default: 256,
        minimum: 1,
        maximum: 100_000,
        description:
          'Requests for an attribution that the public listener takes in, waiting ones included; beyond it the answer is HTTP 503.',
      }),
      requestsPerCaller: Type.Integer({
        default: 0,
        minimum: 0,
        maximum: 100_000,
        description:
          'Of these, the most of one caller, where callers are authenticated; 0: no limit of its own. What is pushed to the attributor listener is not counted: it waits there until there is room for it.',
      }),
      bodyLimitBytes: Type.Integer({
        default: 8_388_608,
        minimum: 1024,
        maximum: 268_435_456,
        description: 'The most bytes of one request.',
      }),
      bodiesMegabytes: Type.Integer({
        default: 256,
        minimum: 1,
        maximum: 65_536,
        description: 'Megabytes of all requests taken in; beyond it the answer is HTTP 503.',
      }),
    },
    strict,
  ),
  shutdown: Type.Object(
    {
      graceMs: Type.Integer({
        default: 20_000,
        minimum: 0,
        maximum: 600_000,
        description:
          'How long requests may go on when the process is asked to end; then they are answered with what is known.',
      }),
    },
    strict,
  ),
} as const;
