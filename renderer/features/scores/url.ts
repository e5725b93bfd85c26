/** Search parameters of the scores: list filter, and the distribution. */
import { z } from 'zod';
import { readUrl, urlOneOf, urlPage, urlText } from '../../model/filter/url-shapes.ts';

export const scoreSources = ['experiment', 'annotation', 'api'] as const;
export const sourceLabels: Readonly<Record<string, string>> = { experiment: 'Experiment', annotation: 'Annotation', api: 'API' };

const shape = z.object({ name: urlText, source: urlOneOf(scoreSources), resource_id: urlText, page: urlPage });
export type ScoresView = z.output<typeof shape>;

export const readScoresUrl = (search: unknown): ScoresView => readUrl(shape, search);

export const scorePageSize = 50;

export const scoresQuery = ({ page = 1, ...view }: ScoresView) => ({
  ...view,
  limit: scorePageSize,
  offset: (page - 1) * scorePageSize,
});
