/** Quota of a tenant. Usage is counted also without limits. */
export interface Allowance {
  /** Spans that are stored for the first time, in a calendar month (UTC); null: without limit. */
  monthly_spans: number | null;
  /** Bytes of records and long texts, before compression; null: without limit. */
  storage_bytes: number | null;
}

/** Exceeded limit, with its usage. */
export interface Spent {
  what: keyof Allowance;
  current: number;
  limit: number;
}

/** Nothing of the batch was stored, because it exceeded the quota of its tenant. */
export class AllowanceSpent extends Error {
  readonly spent: Spent;

  constructor(spent: Spent) {
    super(spent.what === 'monthly_spans' ? 'The spans of this month are used up' : 'The storage is used up');
    this.spent = spent;
  }
}

/** Months are numbered from the year 0, so that they are counted like anything else. */
export function monthOf(ms: number): number {
  const date = new Date(ms);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The first moment of the month after the one of `ms`, in milliseconds since the epoch. */
export function nextMonthMs(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
