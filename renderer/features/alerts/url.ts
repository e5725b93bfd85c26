/** Search parameters of the alerts list. */
import { z } from 'zod';
import { readUrl, urlOneOf } from '../../model/filter/url-shapes.ts';

const shape = z.object({ status: urlOneOf(['triggered', 'resolved']) });
export type AlertsView = z.output<typeof shape>;

export const readAlertsUrl = (search: unknown): AlertsView => readUrl(shape, search);
