import type { ErrorCategory } from '../contract/index.ts';

/** What a finding is about. A node is spelled exactly as in the request's `scope.nodes`. */
export type Target = { readonly type: 'Node'; readonly node: string } | { readonly type: 'AllJobResources' };

export type { ErrorCategory };
