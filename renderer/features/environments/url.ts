/** Search parameters of the deployments list. */
import { z } from 'zod';
import { readUrl, urlOneOf, urlPage } from '../../model/filter/url-shapes.ts';

const shape = z.object({ status: urlOneOf(['running', 'success', 'failure']), page: urlPage });
export type DeploymentsView = z.output<typeof shape>;

export const readDeploymentsUrl = (search: unknown): DeploymentsView => readUrl(shape, search);

export const deploymentsPageSize = 50;

export const deploymentsQuery = ({ status, page = 1 }: DeploymentsView) => ({
  ...(status && { status }),
  limit: deploymentsPageSize,
  offset: (page - 1) * deploymentsPageSize,
});
