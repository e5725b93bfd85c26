/** Signs of a run that keeps going without making progress (docs/runaways.md). Without zod, for threads that do not load it. */
export const runawayRules = ['repeated_calls', 'loop', 'cost', 'cost_rate', 'context_growth', 'errors', 'silence'] as const;

export type RunawayRule = (typeof runawayRules)[number];

/** The threshold of each rule: its unit, its default, and the values that it may have. */
export const runawayThresholds: Record<RunawayRule, { unit: string; default: number; min: number; max: number }> = {
  repeated_calls: { unit: 'calls', default: 10, min: 3, max: 90 },
  loop: { unit: 'rounds', default: 5, min: 3, max: 16 },
  cost: { unit: 'USD', default: 20, min: 0.000001, max: 1_000_000 },
  cost_rate: { unit: 'USD a minute', default: 2, min: 0.000001, max: 1_000_000 },
  context_growth: { unit: 'part of the context window', default: 0.8, min: 0.01, max: 1 },
  errors: { unit: 'failed steps', default: 8, min: 3, max: 24 },
  silence: { unit: 'seconds', default: 300, min: 1, max: 86_400 },
};
