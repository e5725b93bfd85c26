import {
  requiredScoreKeys,
  type ScoreDraft,
  type ScoreItemResult,
  scoreItem,
  scoresPerBatchMax,
} from '../../../shared/contract/evaluation/score-draft.ts';
import type { Score } from '../../../shared/contract/evaluation/scores.ts';
import { problemsIn } from '../../../shared/words/issue-words.ts';
import { fail } from '../../app/fail.ts';
import { Answer, asPage, defineModule } from '../../app/module.ts';
import type { Principal } from '../../identity/authenticator.ts';
import { scopedId } from '../../platform/scoped-id.ts';

export const scoresModule = defineModule({
  group: 'scores',
  needs: ['telemetry', 'clock', 'environmentResolver'],
  build: ({ telemetry, clock, environmentResolver }) => ({
    create: async ({ scope, principal, request }, { body }) => {
      const score = scoreOf(body, principal, clock.now());
      await telemetry.scores.insert(scope, [score], await environmentResolver.of(principal, request));
      return { data: score, id: score.id, message: 'Score created' };
    },

    createBatch: async ({ scope, principal, request }, { body }) => {
      if (body.scores.length > scoresPerBatchMax) {
        fail('payload_too_large', `A batch holds at most ${scoresPerBatchMax} scores`, { limit: scoresPerBatchMax });
      }
      const now = clock.now();
      const outcomes = body.scores.map((item) => outcomeOf(principal, item, now));
      const scores = outcomes.flatMap(({ score }) => score ?? []);
      if (scores.length > 0) await telemetry.scores.insert(scope, scores, await environmentResolver.of(principal, request));
      const summary = { total: outcomes.length, succeeded: scores.length, failed: outcomes.length - scores.length };
      const status = summary.failed === 0 ? 201 : summary.succeeded === 0 ? 400 : 207;
      return new Answer(status, { data: { results: outcomes.map(({ result }) => result), summary } });
    },

    list: async ({ scope }, { query: { resourceId, ...query } }) =>
      asPage(query, await telemetry.scores.list(scope, { ...query, resource_id: query.resource_id ?? resourceId })),

    names: async ({ scope }) => ({ data: await telemetry.scores.names(scope) }),

    get: async ({ scope }, { params }) => ({ data: (await telemetry.scores.find(scope, params.scoreId)) ?? notFound(params.scoreId) }),

    remove: async ({ scope }, { params }) => {
      if (!(await telemetry.scores.remove(scope, params.scoreId))) notFound(params.scoreId);
    },
  }),
});

const notFound = (id: string): never => fail('score_not_found', `No score ${id}`);

/** The author of a score comes from the credential, never from the body: the id of a user, nothing for a key. */
function scoreOf(
  { resource_id, name, score, label, reason, source, session_id }: ScoreDraft,
  { session: login }: Principal,
  now: number,
  id: string = crypto.randomUUID(),
): Score {
  const created_at = new Date(now).toISOString();
  const user = login ? { user_id: login.user_id } : {};
  const session = session_id ? { session_id } : {};
  return { id, resource_id, name, score, label, reason, source, ...user, created_at, ...session };
}

function outcomeOf(principal: Principal, item: unknown, now: number): { score: Score | null; result: ScoreItemResult } {
  const parsed = scoreItem.safeParse(item);
  if (parsed.success) {
    const { client_id, id, ...draft } = parsed.data;
    const score = scoreOf(draft, principal, now, id && scopedId(principal.scope, id));
    return { score, result: { status: 'success', id: score.id, ...(client_id === undefined ? {} : { client_id }) } };
  }
  const sent: Record<string, unknown> = typeof item === 'object' && item !== null ? { ...item } : {};
  const isObject = typeof item === 'object' && item !== null && !Array.isArray(item);
  const value = (field: string) => (field === 'resource_id' ? (sent.resource_id ?? sent.resourceId) : sent[field]);
  const isMissing = (field: string) => isObject && requiredScoreKeys.includes(field) && (value(field) ?? '') === '';
  const issues = problemsIn(parsed.error).map(({ path, message }) => ({ field: path.join('.') || 'item', message }));
  const missing = issues.find(({ field }) => isMissing(field));
  const first = missing ?? issues[0];
  const code = missing ? 'missing_required_field' : 'invalid_field_value';
  const message = missing ? `${missing.field} is required` : `${first?.field}: ${first?.message}`;
  const echo = typeof sent.client_id === 'string' && sent.client_id.isWellFormed() ? { client_id: sent.client_id } : {};
  return { score: null, result: { status: 'error', error: { code, message }, ...echo } };
}

export const scoreAnalyticsModule = defineModule({
  group: 'scoreAnalytics',
  needs: ['metrics'],
  build: ({ metrics }) => ({
    aggregate: async ({ scope }, { query }) => ({ data: await metrics.scores(scope, query) }),
  }),
});
