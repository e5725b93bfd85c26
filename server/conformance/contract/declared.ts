/** The answers that the published document declares for a gateway of one kind, by name. */
import type { Operation, PublishedApi } from '../published/published-api.ts';

export type Target = 'local' | 'cloud';
/** Which gateways give an answer; `none` when no gateway serves the route yet. */
export type Where = Target | 'both' | 'none';

/** `x-answers` of a response: each code, and `reply`, with the gateways that give it. */
export const answersAt = ({ answers }: Operation, status: number): Record<string, Where> =>
  (answers[status] as { 'x-answers'?: Record<string, Where> } | undefined)?.['x-answers'] ?? {};

export const isGivenBy = (target: Target, where: Where | undefined): boolean => where === 'both' || where === target;

/** `GET /v1/traces 400 invalid_filter` for a refusal, `GET /v1/traces 200 application/json` for a reply. */
export const answerName = ({ method, path }: Pick<Operation, 'method' | 'path'>, status: number, what: string): string =>
  `${method} ${path} ${status} ${what}`;

/** The name of a reply that has no body. */
export const bodiless = 'without a body';

export function declaredAnswers(api: PublishedApi, target: Target): string[] {
  return api.operations.flatMap((operation) =>
    Object.keys(operation.answers).flatMap((key) => {
      const status = Number(key);
      return Object.entries(answersAt(operation, status))
        .filter(([, where]) => isGivenBy(target, where))
        .flatMap(([answer]) => (answer === 'reply' ? replyTypes(operation, status) : [answer]))
        .map((what) => answerName(operation, status, what));
    }),
  );
}

function replyTypes({ answers }: Operation, status: number): string[] {
  const types = Object.keys(answers[status]?.content ?? {});
  return types.length === 0 ? [bodiless] : types;
}

/** Whether a gateway of this kind can refuse the operation with this status and code. */
export const declares = (operation: Operation, target: Target, status: number, code: string): boolean =>
  isGivenBy(target, answersAt(operation, status)[code]);
