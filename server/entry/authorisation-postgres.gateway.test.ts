/** The authorisation matrix, with the control store on PostgreSQL. */
import { onPostgres } from '../fixtures/control-places.ts';
import { describeAuthorisation } from './conformance/describe-authorisation.ts';

describeAuthorisation(await onPostgres());
