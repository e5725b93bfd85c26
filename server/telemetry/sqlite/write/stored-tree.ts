import type { TraceRollup, TraceTree, TreeSpan } from '../../trace-tree.ts';

/** Rows and references are row ids: of spans, and of terms and documents. */
export type StoredTreeSpan = TreeSpan<number, number>;
export type StoredRollup = TraceRollup<number, number>;
export type StoredTree = TraceTree<number, number>;
