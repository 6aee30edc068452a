/** A file of a corpus to be measured on, and where its text is said to come from. */
export interface CorpusFile {
  readonly path: string;
  readonly origin: 'kernel' | 'job';
}
