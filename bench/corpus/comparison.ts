/** Counts comparisons of expected and actual values, and keeps the differences. */

export interface Difference {
  capture: string;
  family: string;
  mode: string;
  /** Name of the span or trace. */
  place: string;
  field: string;
  expected: unknown;
  got: unknown;
}

export interface Count {
  passed: number;
  total: number;
}

/** Records one comparison. The first part of the field name, up to a dot, is its group in the report. */
export type Expect = (field: string, isRight: boolean, expected: unknown, got: unknown) => void;

export class Comparison {
  readonly differences: Difference[] = [];
  readonly byFamily = new Map<string, Count>();
  readonly byField = new Map<string, Count>();
  readonly all: Count = { passed: 0, total: 0 };

  at(mode: string, { name, family }: { name: string; family: string }, place: string): Expect {
    return (field, isRight, expected, got) => {
      for (const count of [this.all, countOf(this.byFamily, family), countOf(this.byField, field.split('.')[0] ?? field)]) {
        count.total++;
        if (isRight) count.passed++;
      }
      if (!isRight) this.differences.push({ capture: name, family, mode, place, field, expected, got });
    };
  }
}

function countOf(counts: Map<string, Count>, key: string): Count {
  const count = counts.get(key) ?? { passed: 0, total: 0 };
  counts.set(key, count);
  return count;
}
