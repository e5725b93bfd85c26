/** Search parameters of the alerts list. */
import { z } from 'zod';
import { readUrl, urlOneOf } from '../../model/filter/url-shapes.ts';

/** Id of a member. */
const urlId = z.uuid().optional().catch(undefined);
const shape = z.object({ status: urlOneOf(['triggered', 'resolved']), owner: urlId });

export type AlertsView = z.output<typeof shape>;

export const readAlertsUrl = (search: unknown): AlertsView => readUrl(shape, search);
