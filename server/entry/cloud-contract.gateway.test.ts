/** The contract of the cloud gateway, with the control store in the data folder, or of a fleet (`npm run test:cluster`). */
import { chosenPlacesWithFaults } from '../fixtures/cloud-topology.ts';
import { describeCloudContract } from './conformance/describe-cloud-contract.ts';

describeCloudContract(await chosenPlacesWithFaults());
