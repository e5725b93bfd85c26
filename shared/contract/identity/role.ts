import { z } from 'zod';

/** What somebody is in a tenant (docs/reference/access.md#roles). */
export const role = z.enum(['owner', 'admin', 'write', 'read']);
export type Role = z.output<typeof role>;
