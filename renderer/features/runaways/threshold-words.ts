/** Thresholds of the runaway guard as people read and type them. */
import { type RunawayRule, runawayThresholds } from '../../../shared/contract/tracing/runaway-rules.ts';

/** Stored as a fraction of 1, shown and typed as a percentage. */
const isPart = (rule: RunawayRule) => rule === 'context_growth';

/** How the field of a threshold names its unit. */
export const unitOf = (rule: RunawayRule): string => (isPart(rule) ? '% of the context window' : runawayThresholds[rule].unit);

/** `10 calls`, `$2 a minute`, `80 % of the context window`; `off` for null. */
export function thresholdText(rule: RunawayRule, threshold: number | null): string {
  if (threshold === null) return 'off';
  if (rule === 'cost') return `$${threshold}`;
  if (rule === 'cost_rate') return `$${threshold} a minute`;
  return `${typedThreshold(rule, threshold)} ${unitOf(rule)}`;
}

/** The text of a threshold in its field, without the unit. */
export const typedThreshold = (rule: RunawayRule, threshold: number): string =>
  String(isPart(rule) ? Number((threshold * 100).toPrecision(12)) : threshold);

/** @returns the threshold that was typed, or why it cannot be one */
export function readThreshold(rule: RunawayRule, typed: string): number | { problem: string } {
  const { min, max } = runawayThresholds[rule];
  const number = typed.trim() === '' ? Number.NaN : Number(typed);
  const threshold = isPart(rule) ? number / 100 : number;
  if (threshold >= min && threshold <= max) return threshold;
  return { problem: `A number from ${typedThreshold(rule, min)} to ${typedThreshold(rule, max)}` };
}
