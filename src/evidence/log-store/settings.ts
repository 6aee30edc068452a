import Type, { type Static } from 'typebox';

/** How any log store is read. */
export interface LogStoreSettings {
  /** From this share of the known nodes on they are not named in queries, and chosen here. */
  readonly nodeShare: number;
  /** The same beyond this many queries. */
  readonly mostQueries: number;
  /** Up to this many lines all are read, and the server filters none. */
  readonly unfilteredLines: number;
  /** The same for the text of a job, whose lines belong together more often. */
  readonly unfilteredJobLines: number;
  /** Where the server filters, so many nodes with hits are read whole at the most. */
  readonly closerNodes: number;
  /** Lines in one answer. */
  readonly pageLines: number;
  /** The most of one origin. */
  readonly mostLines: number;
  readonly mostBytes: number;
  /** A node that sent a line this long before the window is known. */
  readonly knownHours: number;
  /** How far before the window the beginning of a job's text is looked for; 0: not at all. */
  readonly jobHours: number;
  /** How far back `analyze` without times reads. */
  readonly everythingHours: number;
}

export const defaultLogStoreSettings: LogStoreSettings = {
  nodeShare: 1 / 3,
  mostQueries: 32,
  unfilteredLines: 20_000,
  unfilteredJobLines: 100_000,
  closerNodes: 64,
  pageLines: 5_000,
  mostLines: 1_000_000,
  mostBytes: 256 * 1024 * 1024,
  knownHours: 24,
  jobHours: 168,
  everythingHours: 24,
};

/** The same as an operator writes it. */
export const logStoreProperties = {
  nodeShare: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'From this share of the known nodes on queries do not name them (1/3).',
    }),
  ),
  mostQueries: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, description: 'The same beyond this many queries (32).' }),
  ),
  unfilteredLines: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Up to this many lines the server filters none (20000).' }),
  ),
  unfilteredJobLines: Type.Optional(
    Type.Integer({ minimum: 0, description: 'The same for the text of a job (100000).' }),
  ),
  closerNodes: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1024, description: 'Nodes with hits that are read whole (64).' }),
  ),
  pageLines: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100_000, description: 'Lines in one answer (5000).' }),
  ),
  mostLines: Type.Optional(
    Type.Integer({ minimum: 1, description: 'The most lines of one origin (1000000).' }),
  ),
  mostBytes: Type.Optional(Type.Integer({ minimum: 1024, description: 'The most bytes of them (256 MiB).' })),
  knownHours: Type.Optional(
    Type.Number({ minimum: 0, maximum: 720, description: 'A node is known for so long after a line (24).' }),
  ),
  jobHours: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 720,
      description: 'How far before the window the beginning of a job is looked for (168); 0: not at all.',
    }),
  ),
  everythingHours: Type.Optional(
    Type.Number({ minimum: 0, maximum: 720, description: 'How far back analyze without times reads (24).' }),
  ),
} as const;

const schema = Type.Object(logStoreProperties);

export function logStoreSettingsOf(written: Static<typeof schema>): LogStoreSettings {
  const usual = defaultLogStoreSettings;
  return {
    nodeShare: written.nodeShare ?? usual.nodeShare,
    mostQueries: written.mostQueries ?? usual.mostQueries,
    unfilteredLines: written.unfilteredLines ?? usual.unfilteredLines,
    unfilteredJobLines: written.unfilteredJobLines ?? usual.unfilteredJobLines,
    closerNodes: written.closerNodes ?? usual.closerNodes,
    pageLines: written.pageLines ?? usual.pageLines,
    mostLines: written.mostLines ?? usual.mostLines,
    mostBytes: written.mostBytes ?? usual.mostBytes,
    knownHours: written.knownHours ?? usual.knownHours,
    jobHours: written.jobHours ?? usual.jobHours,
    everythingHours: written.everythingHours ?? usual.everythingHours,
  };
}
