/** Isolation of tenants, with the control store on PostgreSQL. */
import { onPostgres } from '../fixtures/control-places.ts';
import { describeTenantIsolation } from './conformance/describe-tenant-isolation.ts';

describeTenantIsolation(await onPostgres());
