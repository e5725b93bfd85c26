/** Rows of `place` of no app: the usage of a tenant in each month, and the number of its last commit. */

export interface TenantRow {
  tenant_id: string;
  app_id: '';
  /** See `usageId` and `lastCommit`. */
  trace_id: string;
  /** What arrived later is not of this commit or an earlier one. */
  arrival: number;
}

export interface UsageRow extends TenantRow {
  spans: number;
  bytes: number;
}

const prefix = 'usage/';
export const usageId = {
  /** @param month since the year 0 */
  of: (month: number): string => `${prefix}${month}`,
  month: (id: string): number => Number(id.slice(prefix.length)),
};

/** Condition on rows of `place`: the usage of all tenants. */
export const isUsage = `app_id = '' AND startsWith(trace_id, '${prefix}')`;
/** The same of a tenant, which is a parameter. */
export const usageMonths = `tenant_id = {tenant_id:String} AND ${isUsage}`;

export const usageRow = (
  tenant_id: string,
  month: number,
  { spans, bytes }: { spans: number; bytes: number },
  arrival: number,
): UsageRow => ({
  ...{ tenant_id, app_id: '', trace_id: usageId.of(month) },
  ...{ arrival, spans, bytes },
});

/** Id of the row whose version is the number of the last commit of its tenant. */
export const lastCommit = 'commit';

export const commitRow = (tenant_id: string, arrival: number): TenantRow => ({ tenant_id, app_id: '', trace_id: lastCommit, arrival });
