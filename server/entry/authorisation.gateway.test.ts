/** The authorisation matrix, with the control store in the data folder or of a fleet (`npm run test:cluster`): a part of its cells each day, or all (`dailySample`). */
import { chosenPlaces } from '../fixtures/cloud-topology.ts';
import { dailySample } from '../fixtures/daily-sample.ts';
import { describeAuthorisation } from './conformance/describe-authorisation.ts';

describeAuthorisation(await chosenPlaces(), dailySample(3));
