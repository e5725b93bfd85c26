/** Bits of `flags` in the outline of a trace. Separate from the schemas, so that threads without zod can import them. */
export const outlineFlag = {
  /** Started, and has not ended yet. */
  pending: 1,
  /** A model call itself (type GENERATION), not a wrapper around one. */
  generation: 2,
  /** Names a parent that has not arrived. */
  orphan: 4,
  /** Has tokens without a known price. */
  unpriced: 8,
  /** Records the work of an instrumentation itself. */
  bookkeeping: 16,
} as const;
