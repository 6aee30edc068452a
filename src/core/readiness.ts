/** Whether something can do its work at this moment; `reason` says why not, without secrets or addresses. */
export interface WorkState {
  readonly works: boolean;
  readonly reason: string | null;
}

export interface SourceState extends WorkState {
  readonly source: string;
}

/** Whether a provider can answer, and what each of its sources says for itself. One broken source does not stop it. */
export interface ProviderState extends WorkState {
  readonly sources: readonly SourceState[];
}

export const working: WorkState = { works: true, reason: null };
