/** Bits of `flags` in the outline of a trace. Apart from the schemas, so that threads without zod can read them. */
export const outlineFlag = {
  /** Began, and has not ended yet. */
  pending: 1,
  /** A model call itself (type GENERATION), not a wrapper around one. */
  generation: 2,
  /** Names a parent that has not arrived. */
  orphan: 4,
  /** Has tokens whose price nobody knows. */
  unpriced: 8,
} as const;
