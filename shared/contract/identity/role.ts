import { z } from 'zod';

/** The role of a person in a tenant (docs/reference/access.md#roles). */
export const role = z.enum(['owner', 'admin', 'write', 'read']);
export type Role = z.output<typeof role>;
