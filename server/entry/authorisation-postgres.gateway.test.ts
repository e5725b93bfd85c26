/** The authorisation matrix, with the control store on PostgreSQL: a part of its cells, or all (`partOf`). */
import { onPostgres, partOf } from '../fixtures/control-places.ts';
import { describeAuthorisation } from './conformance/describe-authorisation.ts';

describeAuthorisation(await onPostgres(), partOf(3));
