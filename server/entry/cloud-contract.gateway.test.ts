/** The contract of the cloud gateway, with the control store in the data folder. */
import { inDataFoldersWithFaults } from '../fixtures/contract/control-faults.ts';
import { describeCloudContract } from './conformance/describe-cloud-contract.ts';

describeCloudContract(inDataFoldersWithFaults);
