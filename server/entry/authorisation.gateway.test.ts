/** The authorisation matrix, with the control store in the data folder. */
import { inDataFolders } from '../fixtures/control-places.ts';
import { describeAuthorisation } from './conformance/describe-authorisation.ts';

describeAuthorisation(inDataFolders);
