/** Isolation of tenants, with the control store in the data folder. */
import { inDataFolders } from '../fixtures/control-places.ts';
import { describeTenantIsolation } from './conformance/describe-tenant-isolation.ts';

describeTenantIsolation(inDataFolders);
