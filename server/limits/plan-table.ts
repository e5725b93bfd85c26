/** Limits of each plan. A deployment may override them by a file (`GLASSHOUSE_PLANS`); omitted limits stay. */
import { z } from 'zod';
import { type Plan, plans } from '../control/tenant-store.ts';

/** Null for no limit. */
const limit = z.int().min(0).nullable();
const perMinute = z.int().min(0).max(60_000_000).nullable();

const planLimits = z.object({
  requests_per_minute: perMinute,
  /** Joint limit of the three search routes. */
  searches_per_minute: perMinute,
  /** For a calendar month in UTC. */
  monthly_spans: limit,
  storage_bytes: limit,
  /** Traces that are older are deleted. */
  keep_days: z.int().min(1).nullable(),
  apps: limit,
  /** For each app. */
  environments: limit,
  api_keys: limit,
  members: limit,
  alerts_enabled: z.boolean(),
  workers_enabled: z.boolean(),
  worker_concurrency: limit,
});
export type PlanLimits = z.output<typeof planLimits>;
export type PlanTable = Record<Plan, PlanLimits>;

const GiB = 1024 ** 3;

/**
 * Default plan of a new team. Its limits do not affect a single team in ordinary work or in a load test, but stop an exporter in a loop from
 * filling the disk or blocking others.
 */
export const defaultPlan: Plan = 'team';

export const standardPlans: PlanTable = {
  free: {
    ...{ requests_per_minute: 300, searches_per_minute: 30, monthly_spans: 50_000, storage_bytes: GiB, keep_days: 30 },
    ...{ apps: 2, environments: 3, api_keys: 10, members: 3, alerts_enabled: false, workers_enabled: false, worker_concurrency: 0 },
  },
  growth: {
    ...{ requests_per_minute: 1200, searches_per_minute: 120, monthly_spans: 1_000_000, storage_bytes: 25 * GiB, keep_days: 90 },
    ...{ apps: 10, environments: 10, api_keys: 50, members: 15, alerts_enabled: true, workers_enabled: true, worker_concurrency: 2 },
  },
  team: {
    ...{ requests_per_minute: 120_000, searches_per_minute: 600, monthly_spans: 100_000_000, storage_bytes: 250 * GiB, keep_days: 400 },
    ...{ apps: 500, environments: 200, api_keys: 2000, members: 1000, alerts_enabled: true, workers_enabled: true, worker_concurrency: 20 },
  },
  enterprise: {
    ...{ requests_per_minute: null, searches_per_minute: 600, monthly_spans: null, storage_bytes: null, keep_days: null },
    ...{ apps: null, environments: null, api_keys: null, members: null },
    ...{ alerts_enabled: true, workers_enabled: true, worker_concurrency: null },
  },
};

const changes = z.partialRecord(z.enum(plans), planLimits.partial().strict());

/**
 * Plan table with the overrides of a file.
 * @throws z.ZodError for an unknown plan or limit
 */
export function plansWith(overrides: unknown): PlanTable {
  const changed = Object.entries(changes.parse(overrides)).map(([plan, limits]) => [plan, { ...standardPlans[plan as Plan], ...limits }]);
  return { ...standardPlans, ...Object.fromEntries(changed) } as PlanTable;
}
