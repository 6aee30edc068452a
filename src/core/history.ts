import type { Strength } from './symptom.ts';
import type { ErrorCategory } from './target.ts';
import type { Nanos } from './time.ts';

/** One failed attempt of one workload, however often it is asked about. */
export interface Episode {
  readonly cluster: string;
  readonly workloadId: string;
  readonly workflowId: string;
  readonly attemptIndex: number;
}

/** What an episode showed on one node and device: its strongest symptom, and what was concluded about the node. */
export interface HistoryRow extends Episode {
  readonly node: string;
  /** The GPU's UUID and PCI address as far as known; both null where the row is about the node as a whole. */
  readonly uuid: string | null;
  readonly pci: string | null;
  readonly symptom: string;
  readonly code: string | null;
  readonly title: string;
  /** Null where the node was named without a symptom of ours. */
  readonly strength: Strength | null;
  /** How many devices of the episode showed the same symptom. */
  readonly alike: number;
  /** Category of the finding about the node, null where it was not named. */
  readonly finding: ErrorCategory | null;
  /** The moment of the failure. */
  readonly at: Nanos;
}

/** Which rows are wanted: of any of the nodes or GPUs, from `from` on and before `to`. Null nodes: of every node. */
export interface HistoryQuery {
  readonly cluster: string | null;
  readonly nodes: readonly string[] | null;
  readonly uuids: readonly string[];
  readonly from: Nanos;
  readonly to: Nanos;
  /** The most rows, the newest first. */
  readonly limit: number;
  /** Leaves out more of what would be found; absent: nothing. */
  readonly only?: HistoryFilter;
}

/** Null leaves nothing out. */
export interface HistoryFilter {
  readonly workloadId: string | null;
  readonly workflowId: string | null;
  /** UUID or PCI address of a GPU. */
  readonly device: string | null;
  /** Only nodes that were named. */
  readonly named: boolean;
  /** Only rows that `find` gives after this place: the next page. */
  readonly after: HistoryPlace | null;
}

/** Where a row stands in the order of `find`. */
export interface HistoryPlace extends Episode {
  readonly at: Nanos;
  readonly node: string;
  /** UUID of the row, else its PCI address, else empty. */
  readonly device: string;
}

/** A symptom that was seen again on a node and device (as in `HistoryPlace`), and explained there. */
export interface ExplainedSymptom {
  readonly node: string;
  readonly device: string;
  readonly symptom: string;
}

/** What a provider may ask of history. */
export interface Past {
  /** Rows of the time that is remembered before a moment about any of the nodes or GPUs; none where history cannot be read. */
  before(moment: Nanos, nodes: readonly string[], uuids: readonly string[]): Promise<readonly HistoryRow[]>;
}

/** What happened before, for a number of days (14 unless set) and up to a number of rows. What `record` resolved survives a crash (memory excepted). */
export interface HistoryStore {
  /** Replaces everything known of the episode. */
  record(episode: Episode, rows: readonly HistoryRow[]): Promise<void>;
  /**
   * Joins rows to what is known of the episode, in one step, whoever else does: for each node and device the stronger
   * stays, a named node before one that is not, the newer of two alike. What is explained goes, unless a row says it anew.
   */
  add(episode: Episode, rows: readonly HistoryRow[], explained: readonly ExplainedSymptom[]): Promise<void>;
  /** Newest first; of one time in the order of node, device and episode. */
  find(query: HistoryQuery): Promise<readonly HistoryRow[]>;
  close(): Promise<void>;
}
