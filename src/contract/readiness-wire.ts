interface WorkState {
  readonly works: boolean;
  readonly reason: string | null;
}

/** What readiness is made of. Sources are told of and do not decide: with some of them broken there still are answers. */
export interface ReadinessFields {
  readonly ready: boolean;
  readonly store: WorkState;
  readonly provider: WorkState & { readonly kind: string };
  readonly sources: readonly (WorkState & { readonly source: string })[];
}

/** Readiness as the operations listener tells it. */
export function renderReadiness({ ready, store, provider, sources }: ReadinessFields): string {
  return JSON.stringify({
    status: ready ? 'ready' : 'not_ready',
    store: { works: store.works, reason: store.reason },
    provider: { kind: provider.kind, works: provider.works, reason: provider.reason },
    sources: sources.map(({ source, works, reason }) => ({ source, works, reason })),
  });
}
