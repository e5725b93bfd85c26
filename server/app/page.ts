import type { Page } from '../telemetry/encoded.ts';

/** The list envelope: the page's rows, and what was asked for beside what there is. */
export function asPage<T>({ limit, offset }: { limit: number; offset: number }, { data, total }: Page<T>) {
  return { data, pagination: { limit, offset, total } };
}
