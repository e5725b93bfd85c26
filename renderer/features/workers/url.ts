/** Search parameters of agent runs: workspaces or all runs, and the page of the list. */
import { z } from 'zod';
import { readUrl, urlOneOf, urlPage } from '../../model/filter/url-shapes.ts';

const shape = z.object({ show: urlOneOf(['runs']), page: urlPage });
export type WorkersView = z.output<typeof shape>;

export const readWorkersUrl = (search: unknown): WorkersView => readUrl(shape, search);

export const workersPageSize = 50;

export const workersQuery = ({ page = 1 }: WorkersView) => ({ limit: workersPageSize, offset: (page - 1) * workersPageSize });
