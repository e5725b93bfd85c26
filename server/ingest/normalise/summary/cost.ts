import type { FieldResolver } from './field-resolver.ts';

/** US dollars as reported by the sender: the total, or the sum of prompt and completion cost. Null when not reported. */
export function reportedCostOf(resolver: FieldResolver): number | null {
  const total = resolver.number('reported_cost');
  if (total !== null) return total;
  const prompt = resolver.number('prompt_cost');
  const completion = resolver.number('completion_cost');
  if (prompt === null && completion === null) return null;
  resolver.noteSource('reported_cost', 'prompt cost + completion cost');
  // Without the artefacts of binary fractions.
  return Number(((prompt ?? 0) + (completion ?? 0)).toPrecision(15));
}
