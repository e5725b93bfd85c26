/** Refuses requests beyond the plan of a tenant. */
import { type ExceededQuota, nextMonthMs, QuotaExceeded } from '../ingest/allowance.ts';
import { failForNow } from './fail.ts';
import type { Context } from './module.ts';

/** When storage becomes free is unknown, because it takes a deletion or another plan. */
const fullRetrySeconds = 3600;

const refusals: Record<ExceededQuota['what'], (now: number) => ['span_limit_exceeded' | 'storage_cap_exceeded', seconds: number]> = {
  monthly_spans: (now) => ['span_limit_exceeded', Math.ceil((nextMonthMs(now) - now) / 1000)],
  storage_bytes: () => ['storage_cap_exceeded', fullRetrySeconds],
};

export function refuseOverQuota(spent: ExceededQuota, { baseUrl }: Pick<Context, 'baseUrl'>, now: number): never {
  const [code, seconds] = refusals[spent.what](now);
  const extras = { currentCount: spent.current, limit: spent.limit, upgradeUrl: `${baseUrl}/#/settings/usage` };
  failForNow(code, new QuotaExceeded(spent).message, seconds, extras);
}
