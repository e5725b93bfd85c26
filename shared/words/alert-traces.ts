import type { AlertRule } from '../contract/operations/alert-draft.ts';
import { findField } from '../filter/fields.ts';

/** How the list of traces is narrowed or sorted to show those that an alert is about. */
export function tracesBehind(rule: Omit<AlertRule, 'time_window' | 'environment_id'>): { filter?: string; sort_by?: 'latency' | 'cost' } {
  const { metric, threshold, evaluation_name, evaluation_threshold_direction } = rule;
  if (metric === 'error_rate') return { filter: 'errors > 0' };
  if (metric === 'latency') return { sort_by: 'latency' };
  if (metric === 'model_calls') return {};
  if (metric !== 'evaluation_score') return { sort_by: 'cost' };
  const field = `score__${evaluation_name}`;
  // Only such names can be written as a field.
  if (!findField('traces', field)) return {};
  return { filter: `${field} ${evaluation_threshold_direction === 'below' ? '<' : '>'} ${threshold}` };
}
