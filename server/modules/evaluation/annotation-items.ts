import type { Parsed } from '../../../shared/contract/core/route.ts';
import type { annotationItems } from '../../../shared/contract/evaluation/annotation-items.ts';
import type { ScoreConfig } from '../../../shared/contract/evaluation/score-configs.ts';
import { fail } from '../../app/fail.ts';
import { Answer, asPage, defineModule } from '../../app/module.ts';
import { scoreConfigsIn } from '../../app/score-configs.ts';
import { signatureOf } from '../../control/actor.ts';
import { NotAReviewer, QueueArchived, type Review, ReviewRefused } from '../../control/item-store.ts';
import type { Principal } from '../../identity/authenticator.ts';
import { applyScoreConfig } from '../../project/score-rules.ts';

type ReviewBody = Parsed<typeof annotationItems.review>['body'];

export const annotationItemsModule = defineModule({
  group: 'annotationItems',
  needs: ['control', 'scoreDelivery'],
  wants: ['project'],
  build: ({ control: { items, scoreConfigs }, scoreDelivery, project }) => ({
    list: async ({ scope, principal }, { params: { queueId }, query: { for_me: which, ...query } }) => {
      // Keys have no items of their own: nobody has this id.
      const forUser = which && { which, user_id: principal.session?.user_id ?? '' };
      const found = (await items.list(scope, queueId, { ...query, for: forUser })) ?? missingQueue(queueId);
      return asPage(query, which && !principal.session ? { data: [], total: 0 } : found);
    },

    add: async ({ scope, principal }, { params: { queueId }, body }) => {
      const added = await translateErrors(() => items.add(principal.actor, scope, queueId, body.items));
      return { data: { added: added ?? missingQueue(queueId) } };
    },

    get: async ({ scope }, { params }) => ({ data: (await items.find(scope, params)) ?? missing(params.itemId) }),

    update: async ({ scope, principal }, { params, body }) => {
      const change = { ...body, assigned_to: body.assigned_to?.toLowerCase() ?? body.assigned_to };
      const item = await translateErrors(() => items.update(principal.actor, scope, params, change));
      return { data: item ?? missing(params.itemId) };
    },

    assign: async ({ scope, principal }, { params: { queueId }, body }) => {
      const ids = body.item_ids.map((id) => id.toLowerCase());
      const userId = body.assigned_to?.toLowerCase() ?? null;
      const assigned = await translateErrors(() => items.assign(principal.actor, scope, queueId, ids, userId));
      return { data: { assigned: assigned ?? missingQueue(queueId) } };
    },

    remove: async ({ scope, principal }, { params }) => {
      if (!(await items.remove(principal.actor, scope, params))) missing(params.itemId);
      return new Answer(204, undefined);
    },

    review: async ({ scope, principal }, { params, body }) => {
      const { status, comment = null, seconds } = body;
      const reviewer = { reviewer: reviewerOf(principal, body), author_name: body.reviewer ?? null };
      const review = {
        status,
        comment,
        seconds,
        scores: await checkScores(body.scores, () => scoreConfigsIn({ project, scoreConfigs }, scope)),
        ...reviewer,
      };
      const result = await translateErrors(() => items.review(principal.actor, scope, params, review));
      if (!result) return missing(params.itemId);
      await scoreDelivery.deliver();
      return { data: result };
    },
  }),
});

const missingQueue = (id: string): never => fail('annotation_queue_not_found', `No annotation queue ${id}`);
const missing = (id: string): never => fail('annotation_queue_item_not_found', `No item ${id} in the annotation queue`);
const wrong = (field: string, problem: string): never =>
  fail('invalid_request_body', 'Invalid request body', { details: { [field]: problem } });

const refusals = { closed: 'queue_item_closed', repeated: 'review_already_submitted', other: 'forbidden' } as const;

async function translateErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof QueueArchived) fail('queue_archived', error.message);
    if (error instanceof NotAReviewer) wrong('assigned_to', error.message);
    if (error instanceof ReviewRefused) fail(refusals[error.problem], error.message);
    throw error;
  }
}

/** People review as themselves; programs may name a reviewer. */
function reviewerOf({ actor, key }: Principal, { reviewer }: ReviewBody): string {
  if (reviewer !== undefined && !key) wrong('reviewer', 'is for callers with an API key');
  return reviewer ?? signatureOf(actor);
}

/** Scores checked against the score configurations of the app. */
async function checkScores(scores: ReviewBody['scores'], read: () => Promise<ScoreConfig[]>): Promise<Review['scores']> {
  if (scores.length === 0) return scores;
  const configs = await read();
  return scores.map((score, index) => {
    const config = configs.find(({ name }) => name === score.name);
    const result = applyScoreConfig(config, score);
    return typeof result === 'string' ? wrong(`scores.${index}.score`, result) : result;
  });
}
