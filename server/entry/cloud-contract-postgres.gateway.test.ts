/** The contract of the cloud gateway, with the control store on PostgreSQL. */
import { onPostgresWithFaults } from '../fixtures/contract/postgres-faults.ts';
import { describeCloudContract } from './conformance/describe-cloud-contract.ts';

describeCloudContract(await onPostgresWithFaults());
