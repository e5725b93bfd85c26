/** Draft of the retention rule: form fields, their validation and conversion. */
import { keepDaysMax, type Retention, storeBytesMin } from '../../../shared/contract/viewer/viewer-storage.ts';

/** Field texts; empty means no limit. */
export interface KeepFields {
  days: string;
  gigabytes: string;
}

const gigabyte = 1024 ** 3;
const smallestGigabytes = storeBytesMin / gigabyte;

export const fieldsOf = ({ keep_days, max_bytes }: Retention): KeepFields => ({
  days: keep_days === null ? '' : String(keep_days),
  gigabytes: max_bytes === null ? '' : String(Number((max_bytes / gigabyte).toFixed(3))),
});

/** Problems by field. */
export interface KeepProblems {
  days?: string;
  gigabytes?: string;
}

export function problemsOf({ days, gigabytes }: KeepFields): KeepProblems {
  const [whole, size] = [Number(days), Number(gigabytes)];
  const isDays = days.trim() === '' || (Number.isInteger(whole) && whole >= 1 && whole <= keepDaysMax);
  const isSize = gigabytes.trim() === '' || size >= smallestGigabytes;
  return {
    ...(!isDays && { days: `Enter a whole number from 1 to ${keepDaysMax}, or leave it empty.` }),
    ...(!isSize && { gigabytes: `Enter a number of at least ${smallestGigabytes}, or leave it empty.` }),
  };
}

/** For valid fields only. */
export const ruleOf = ({ days, gigabytes }: KeepFields): Retention => ({
  keep_days: days.trim() === '' ? null : Number(days),
  max_bytes: gigabytes.trim() === '' ? null : Math.round(Number(gigabytes) * gigabyte),
});

/** Whether the new rule may remove traces that the previous one kept. */
export function isStricter(next: Retention, previous: Retention): boolean {
  const limit = (value: number | null) => value ?? Number.POSITIVE_INFINITY;
  return limit(next.keep_days) < limit(previous.keep_days) || limit(next.max_bytes) < limit(previous.max_bytes);
}
