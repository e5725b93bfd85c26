import type { Evidence } from './evidence.ts';

/** US dollars as the sender reports them: the whole, or its two halves. Null when it reports none. */
export function reportedCostOf(evidence: Evidence): number | null {
  const whole = evidence.number('reported_cost');
  if (whole !== null) return whole;
  const prompt = evidence.number('prompt_cost');
  const completion = evidence.number('completion_cost');
  if (prompt === null && completion === null) return null;
  evidence.because('reported_cost', 'prompt cost + completion cost');
  // Without the digits that only binary fractions have.
  return Number(((prompt ?? 0) + (completion ?? 0)).toPrecision(15));
}
