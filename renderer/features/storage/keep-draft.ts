/** Draft of the retention rule, and its meaning. */
import { keepDaysMax, type Retention, storeBytesMin } from '../../../shared/contract/viewer/viewer-storage.ts';

/** As typed; empty means no limit. */
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
    ...(!isDays && { days: `A whole number from 1 to ${keepDaysMax}, or nothing.` }),
    ...(!isSize && { gigabytes: `A number from ${smallestGigabytes} up, or nothing.` }),
  };
}

/** For valid fields only. */
export const ruleOf = ({ days, gigabytes }: KeepFields): Retention => ({
  keep_days: days.trim() === '' ? null : Number(days),
  max_bytes: gigabytes.trim() === '' ? null : Math.round(Number(gigabytes) * gigabyte),
});

/** Whether something that was to stay may go by the new rule. */
export function isStricter(now: Retention, before: Retention): boolean {
  const least = (value: number | null) => value ?? Number.POSITIVE_INFINITY;
  return least(now.keep_days) < least(before.keep_days) || least(now.max_bytes) < least(before.max_bytes);
}
