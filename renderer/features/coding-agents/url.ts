/** Search parameters of the list of workspaces or runs: which of them, and the page. */
import { z } from 'zod';
import { readUrl, urlOneOf, urlPage } from '../../model/filter/url-shapes.ts';

const shape = z.object({ show: urlOneOf(['runs']), page: urlPage });
export type CodingAgentsView = z.output<typeof shape>;

export const readCodingAgentsUrl = (search: unknown): CodingAgentsView => readUrl(shape, search);

export const codingAgentsPageSize = 50;

export const codingAgentsQuery = ({ page = 1 }: CodingAgentsView) => ({
  limit: codingAgentsPageSize,
  offset: (page - 1) * codingAgentsPageSize,
});
