/** Search parameters of eval runs: list filter, and the open tab of a run. */
import { z } from 'zod';
import { readUrl, urlOneOf, urlPage } from '../../model/filter/url-shapes.ts';

export const runStates = ['queued', 'running', 'succeeded', 'failed'] as const;
export const runSides = ['tasks', 'trials', 'card', 'escalations'] as const;
export const trialStates = ['passed', 'failed', 'error'] as const;

const listShape = z.object({ status: urlOneOf(runStates), page: urlPage });
export type EvalsView = z.output<typeof listShape>;
export const readEvalsUrl = (search: unknown): EvalsView => readUrl(listShape, search);

const runShape = z.object({ side: urlOneOf(runSides), trials: urlOneOf(trialStates), page: urlPage });
export type EvalRunView = z.output<typeof runShape>;
export const readEvalRunUrl = (search: unknown): EvalRunView => readUrl(runShape, search);

export const runPageSize = 50;

export const pageQuery = (page = 1) => ({ limit: runPageSize, offset: (page - 1) * runPageSize });
