import Type from 'typebox';

const strict = { additionalProperties: false } as const;

const namedFile = (description: string) => Type.String({ default: '', description });

/** The server of the shared store, where sessions.store is postgres. */
export const postgresSettings = Type.Object(
  {
    host: Type.String({
      default: '127.0.0.1',
      minLength: 1,
      description: 'Host of the PostgreSQL server, or the folder of its unix socket.',
    }),
    port: Type.Integer({ default: 5432, minimum: 1, maximum: 65_535, description: 'Its port.' }),
    database: Type.String({
      default: 'attribution',
      minLength: 1,
      description: 'A database of our own, which the user owns.',
    }),
    user: Type.String({ default: 'attribution', minLength: 1, description: 'The user that connects.' }),
    password: Type.String({ default: '', description: 'Its password; a file is the better place.' }),
    passwordFile: namedFile('File with the password, read again for every new connection.'),
    tls: Type.Object(
      {
        mode: Type.Enum(['off', 'unverified', 'verified'], {
          default: 'off',
          description: 'Whether connections use TLS, and whether the certificate of the server is checked.',
        }),
        caFile: namedFile('PEM file of the authorities to trust; empty: those of the system.'),
        certFile: namedFile('PEM file of a client certificate.'),
        keyFile: namedFile('PEM file of its key.'),
      },
      strict,
    ),
    connections: Type.Integer({
      default: 8,
      minimum: 1,
      maximum: 1000,
      description: 'The most connections of one replica.',
    }),
    connectTimeoutMs: Type.Integer({
      default: 2_000,
      minimum: 1,
      maximum: 600_000,
      description: 'Longest wait for a connection, new or free.',
    }),
    statementTimeoutMs: Type.Integer({
      default: 5_000,
      minimum: 1,
      maximum: 600_000,
      description: 'Longest time for one statement.',
    }),
  },
  strict,
);
