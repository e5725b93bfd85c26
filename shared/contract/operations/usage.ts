/** What a tenant has used of what its plan allows. Additive, for the dashboard. */
import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { route } from '../core/route.ts';

const used = z.object({ used: z.int(), limit: z.int().nullable().meta({ description: 'Null: without limit.' }) });

const tenantUsage = z
  .object({
    plan: z.enum(['free', 'growth', 'team', 'enterprise']),
    month: z.string().meta({ description: 'The calendar month that spans are counted in, `YYYY-MM`, UTC.' }),
    spans: used.meta({ description: 'Stored in this month, over all apps.' }),
    bytes: used.meta({ description: 'Held, over all apps.' }),
    apps: used,
    members: used,
    environments: used.meta({ description: 'Of the app that the request is about.' }),
    api_keys: used.meta({ description: 'Of the app that the request is about.' }),
    alerts_enabled: z.boolean(),
  })
  .meta({ id: 'TenantUsage' });

export const usage = {
  get: route({
    id: 'get-usage',
    method: 'GET',
    path: '/v1/viewer/usage',
    summary: 'Read what was used of what the plan allows',
    tag: 'usage',
    only: 'cloud',
    credential: 'session',
    permission: 'app.read',
    reply: one(tenantUsage),
    errors: [],
  }),
};

export type TenantUsage = z.output<typeof tenantUsage>;
