import { scoreAnalytics } from '../../../shared/contract/evaluation/score-analytics.ts';
import { scoreConfigChanges, scoreConfigs } from '../../../shared/contract/evaluation/score-configs.ts';
import { scores } from '../../../shared/contract/evaluation/scores.ts';
import { notesOn } from '../note.ts';
import { commit, ids, page, score } from './samples.ts';

const path = { scoreId: ids.score };
const config = {
  id: `${ids.app}:helpful`,
  name: 'helpful',
  commit_sha: commit,
  description: 'Does the answer help the customer?',
  data_type: 'boolean' as const,
  source: 'project_file' as const,
  archived: false,
};
const categories = [
  { label: 'good', value: 1, color: 'green' as const },
  { label: 'poor', value: 0, color: 'red' as const },
];
const created = {
  ...{ id: `${ids.app}:tone`, name: 'tone', commit_sha: '', source: 'created' as const, archived: false },
  ...{ data_type: 'categorical' as const, categories },
};

export const scoreNotes = {
  ...notesOn(scores, {
    create: {
      description:
        'Gives a trace or a span a value under a name. It need not exist yet: a score may be sent before the spans. Each call adds a score, ' +
        'even under a name that the trace already has a score for; nothing is replaced. Yes and no are 1 and 0. The id is beside `data` too, ' +
        'for SDKs that expect it there.',
      body: { resource_id: ids.trace, name: 'helpful', score: 1, label: 'yes', reason: score.reason },
      reply: { data: score, id: ids.score, message: 'Score created' },
    },
    createBatch: {
      description:
        'Up to 1000 scores in one call, each validated separately: 201 when all were stored, 207 when some were, 400 when none was. `results` is in ' +
        'the order of the request. An item with an `id` of its own can be sent again after a failure without being stored twice.',
      body: { scores: [{ resource_id: ids.trace, name: 'helpful', score: 1, client_id: 'row-1' }] },
      reply: {
        data: {
          results: [{ status: 'success', id: ids.score, client_id: 'row-1' }],
          summary: { total: 1, succeeded: 1, failed: 0 },
        },
      },
    },
    list: {
      description: 'Scores by resource, name, source and date, newest first. All parameters narrow the list together.',
      query: { resource_id: ids.trace, name: 'helpful' },
      reply: { data: [score], pagination: page(1) },
    },
    names: {
      description: 'The names in use, sorted. Names that are configured but not used yet are in the score configurations.',
      reply: { data: ['correct', 'helpful'] },
    },
    get: { description: 'One score by the id that its creation returned.', path, reply: { data: score } },
    remove: {
      description: 'Deletes one score for good. Scores are never changed: to correct one, delete it and create another.',
      path,
    },
  }),
  ...notesOn(scoreConfigs, {
    list: {
      description:
        'The values that a score of each name may have, as the project file defines them under `scores`, and as people created them. Forms for ' +
        'scoring are built from them. Of two with one name that of the file counts. Invalid entries of the file are left out.',
      query: { limit: 50 },
      reply: { data: [config], pagination: page(1) },
    },
    get: {
      description:
        'The values that a score of this name may have: yes or no, a number between bounds, one of several categories, or a text.',
      path: { name: 'helpful' },
      reply: { data: config },
    },
  }),
  ...notesOn(scoreConfigChanges, {
    create: {
      description:
        'Creates a configuration beside those of the project file. 409 for a name that is taken, in the file or here. Scores in reviews of ' +
        'queues are checked against it from now on; scores that exist are not.',
      body: { name: 'tone', data_type: 'categorical', categories },
      reply: { data: created },
    },
    replace: {
      description:
        'Replaces everything but the name. An archived configuration is left out of the list unless asked for; false restores it. 409 for one of ' +
        'the project file, which is changed there.',
      path: { name: 'tone' },
      body: { data_type: 'categorical', categories, archived: true },
      reply: { data: { ...created, archived: true } },
    },
  }),
  ...notesOn(scoreAnalytics, {
    aggregate: {
      description: 'Mean, lowest and highest value and number of the scores of each name, sorted by name. Without dates, over all time.',
      query: { start_date: '2026-01-01', end_date: '2026-01-31' },
      reply: { data: [{ name: 'helpful', avg_score: 0.87, count: 212, min_score: 0, max_score: 1, data_type: 'boolean' }] },
    },
  }),
};
