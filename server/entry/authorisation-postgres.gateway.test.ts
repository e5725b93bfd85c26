/** The authorisation matrix, with the control store on PostgreSQL: a smaller part of its cells than on SQLite, as few depend on the store. */
import { onPostgres } from '../fixtures/control-places.ts';
import { dailySample } from '../fixtures/daily-sample.ts';
import { describeAuthorisation } from './conformance/describe-authorisation.ts';

describeAuthorisation(await onPostgres(), dailySample(7));
