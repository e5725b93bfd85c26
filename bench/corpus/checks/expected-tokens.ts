/** The correct token counts of a span. Where a convention counts a part separately, both the part and the real total are correct. */
import type { ExpectedSpan } from '../expectation.ts';

export interface AllowedCounts {
  input: number[] | null;
  output: number[] | null;
  total: number[] | null;
  cache_read: number[] | null;
  cache_write: number[] | null;
  reasoning: number[] | null;
}

/** `reported 7; the real total is 263` */
const realTotal = /real total is (\d+)/;

export function expectedCounts({ llm, input_tokens_note, output_tokens_note }: ExpectedSpan): AllowedCounts {
  const { input, output, total, cached_input, cache_write, reasoning } = llm?.tokens ?? {};
  const separate = llm?.tokens_only_in_provider_metadata;
  const exclusive = llm !== undefined && 'tokens_buckets' in llm;
  const inputs = either(input, input_tokens_note, exclusive ? cached_input : null);
  const outputs = either(output, output_tokens_note, exclusive ? reasoning : null);
  const isUnambiguous = (inputs ?? [0]).length * (outputs ?? [0]).length === 1;
  const sums = (inputs ?? [0]).flatMap((inputCount) => (outputs ?? [0]).map((outputCount) => inputCount + outputCount));
  return {
    input: inputs,
    output: outputs,
    // A reported total is shown as it is, even when it is not the sum.
    total: isCount(total) ? [total, ...(isUnambiguous ? [] : sums)] : inputs || outputs ? sums : null,
    cache_read: isCount(cached_input) ? [cached_input] : null,
    cache_write: isCount(cache_write) ? [cache_write] : null,
    reasoning: isCount(reasoning) ? [reasoning] : isCount(separate?.reasoning) ? [separate.reasoning] : null,
  };
}

const isCount = (value: number | null | undefined): value is number => value !== null && value !== undefined;

/** @param separate what the sender's convention excludes from the reported count (Langfuse's exclusive buckets) */
function either(reported: number | null | undefined, note: string | undefined, separate: number | null | undefined): number[] | null {
  if (!isCount(reported)) return null;
  const real = note === undefined ? undefined : realTotal.exec(note)?.[1];
  return [reported, ...(real === undefined ? [] : [Number(real)]), ...(isCount(separate) ? [reported + separate] : [])];
}
