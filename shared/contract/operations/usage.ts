/** What a tenant has used of its plan. Additive, for the dashboard. */
import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { route } from '../core/route.ts';

const used = z.object({ used: z.int(), limit: z.int().nullable().meta({ description: 'Null: no limit.' }) });

const tenantUsage = z
  .object({
    plan: z.enum(['free', 'growth', 'team', 'enterprise']),
    month: z.string().meta({ description: 'The calendar month that spans are counted in, `YYYY-MM`, UTC.' }),
    spans: used.meta({ description: 'Stored in this month, across all apps.' }),
    bytes: used.meta({ description: 'Stored in total, across all apps.' }),
    apps: used,
    members: used,
    environments: used.meta({ description: 'Of the app of the request.' }),
    api_keys: used.meta({ description: 'Of the app of the request.' }),
    alerts_enabled: z.boolean(),
  })
  .meta({ id: 'TenantUsage' });

export const usage = {
  get: route({
    id: 'get-usage',
    method: 'GET',
    path: '/v1/viewer/usage',
    summary: 'Read how much of the plan is used',
    tag: 'usage',
    only: 'cloud',
    credential: 'session',
    permission: 'app.read',
    reply: one(tenantUsage),
    errors: [],
  }),
};

export type TenantUsage = z.output<typeof tenantUsage>;
