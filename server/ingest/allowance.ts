/** Quota of a tenant. Usage is counted also without limits. */
export interface Allowance {
  /** Spans that are stored for the first time, in a calendar month (UTC); null: without limit. */
  monthly_spans: number | null;
  /** Bytes of records and long texts, before compression; null: without limit. */
  storage_bytes: number | null;
}

/** Exceeded limit, with its usage. */
export interface ExceededQuota {
  what: keyof Allowance;
  current: number;
  limit: number;
}

/** Nothing of the batch was stored, because it exceeded the quota of its tenant. */
export class QuotaExceeded extends Error {
  readonly exceeded: ExceededQuota;

  constructor(exceeded: ExceededQuota) {
    super(exceeded.what === 'monthly_spans' ? 'The spans of this month are used up' : 'The storage is used up');
    this.exceeded = exceeded;
  }
}

/** The number of a month, counted from the year 0. */
export function monthOf(ms: number): number {
  const date = new Date(ms);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The start of the month that follows `ms`, in milliseconds since the epoch. */
export function nextMonthMs(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
