/** The authorisation matrix, with the control store in the data folder: a part of its cells each day, or all (`dailySample`). */
import { inDataFolders } from '../fixtures/control-places.ts';
import { dailySample } from '../fixtures/daily-sample.ts';
import { describeAuthorisation } from './conformance/describe-authorisation.ts';

describeAuthorisation(inDataFolders, dailySample(3));
