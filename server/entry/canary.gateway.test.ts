/** Isolation of tenants, with the control store in the data folder or of a fleet (`npm run test:cluster`): a part of the reads each day, or all (`dailySample`). */
import { chosenPlaces } from '../fixtures/cloud-topology.ts';
import { inDataFolders } from '../fixtures/control-places.ts';
import { dailySample } from '../fixtures/daily-sample.ts';
import { describeTenantIsolation } from './conformance/describe-tenant-isolation.ts';

describeTenantIsolation(await chosenPlaces(), dailySample(5), inDataFolders);
