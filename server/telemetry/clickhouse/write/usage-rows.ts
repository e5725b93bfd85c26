/** Rows of `place` that hold the usage of a tenant in a month: those of no app. */

export interface UsageRow {
  tenant_id: string;
  app_id: '';
  /** See `usageId`. */
  trace_id: string;
  /** Spans that arrived later are not counted yet. */
  arrival: number;
  spans: number;
  bytes: number;
}

const prefix = 'usage/';
export const usageId = {
  /** @param month since the year 0 */
  of: (month: number): string => `${prefix}${month}`,
  month: (id: string): number => Number(id.slice(prefix.length)),
};

/** Condition on rows of `place`: those of a tenant, which is a parameter. */
export const usageMonths = "tenant_id = {tenant_id:String} AND app_id = ''";

export const usageRow = (
  tenant_id: string,
  month: number,
  { spans, bytes }: { spans: number; bytes: number },
  arrival: number,
): UsageRow => ({
  ...{ tenant_id, app_id: '', trace_id: usageId.of(month) },
  ...{ arrival, spans, bytes },
});
