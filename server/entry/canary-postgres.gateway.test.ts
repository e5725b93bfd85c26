/** Isolation of tenants, with the control store on PostgreSQL: a part of the reads, or all (`partOf`). */
import { onPostgres, partOf } from '../fixtures/control-places.ts';
import { describeTenantIsolation } from './conformance/describe-tenant-isolation.ts';

describeTenantIsolation(await onPostgres(), partOf(5));
