/** Isolation of tenants, with the control store in the data folder: a part of the reads each day, or all (`dailySample`). */
import { inDataFolders } from '../fixtures/control-places.ts';
import { dailySample } from '../fixtures/daily-sample.ts';
import { describeTenantIsolation } from './conformance/describe-tenant-isolation.ts';

describeTenantIsolation(inDataFolders, dailySample(5));
