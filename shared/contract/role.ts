import { z } from 'zod';

/** What somebody is in a tenant (contract 4.4). */
export const role = z.enum(['owner', 'admin', 'write', 'read']);
export type Role = z.output<typeof role>;
