/** Search parameters of the sessions list. */
import { z } from 'zod';
import { sessionSortKeys } from '../../../shared/contract/tracing/sessions.ts';
import { readUrl, urlOneOf, urlPage, urlText } from '../../model/filter/url-shapes.ts';

const shape = z.object({
  search: urlText,
  sort_by: urlOneOf(sessionSortKeys),
  sort_order: urlOneOf(['asc', 'desc']),
  page: urlPage,
});
export type SessionsView = z.output<typeof shape>;

export const sessionPageSize = 50;

export const readSessionsUrl = (search: unknown): SessionsView => readUrl(shape, search);

export const sessionsQuery = ({ page = 1, ...view }: SessionsView) => ({
  ...view,
  limit: sessionPageSize,
  offset: (page - 1) * sessionPageSize,
});

export const currentSort = ({ sort_by = 'start', sort_order = 'desc' }: SessionsView) => ({ sort_by, sort_order });

/** Sorts by another column, or reverses the order, and goes to the first page. */
export function sortedBy(view: SessionsView, by: string): SessionsView {
  const current = currentSort(view);
  const first = by === 'name' ? 'asc' : 'desc';
  return readSessionsUrl({
    search: view.search,
    sort_by: by,
    sort_order: current.sort_by !== by ? first : current.sort_order === 'asc' ? 'desc' : 'asc',
  });
}

const sessionShape = z.object({ turn: urlText, q: urlText });
/** The selected turn, as the id of its trace, so that the back button returns to it; and the words that are searched. */
export type SessionView = z.output<typeof sessionShape>;

export const readSessionUrl = (search: unknown): SessionView => readUrl(sessionShape, search);
