/** Isolation of tenants, with the control store on PostgreSQL: a smaller part of the reads than on SQLite, as few depend on the store. */
import { onPostgres } from '../fixtures/control-places.ts';
import { dailySample } from '../fixtures/daily-sample.ts';
import { describeTenantIsolation } from './conformance/describe-tenant-isolation.ts';

describeTenantIsolation(await onPostgres(), dailySample(11));
