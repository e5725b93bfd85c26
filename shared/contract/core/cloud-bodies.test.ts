/** What the bodies of cloud-only routes must refuse, and for which fields. */
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { annotationItems } from '../evaluation/annotation-items.ts';
import { annotationQueues } from '../evaluation/annotation-queues.ts';
import { evals } from '../evaluation/evals.ts';
import { apiKeys } from '../identity/api-keys.ts';
import { apps } from '../identity/apps.ts';
import { alerts } from '../operations/alerts.ts';
import { workerEnvironments } from '../operations/worker-environments.ts';
import { environments } from '../projects/environments.ts';
import { agents } from '../tracing/agents.ts';
import { metrics } from '../tracing/metrics.ts';
import { search } from '../tracing/search.ts';

/** Paths of the fields that a schema refuses; empty for a valid value. */
function invalidPaths(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value);
  return [...new Set(error?.issues.map(({ path }) => path.join('.') || '_'))];
}

const id = '7f000000-0000-4000-8000-000000000001';
const alert = { name: 'a', metric: 'error_rate', threshold: 5, time_window: 5 };
const evaluation = { evaluation_name: 'tone', evaluation_aggregation: 'avg', evaluation_threshold_direction: 'below' };
const run = { session_id: 's', agent: 'codex', started_at: '2026-01-15T10:00:00Z', events: [] };

describe('the body or query', () => {
  it.each<[string, z.ZodType, unknown, string[]]>([
    ['alert', alerts.create.body, alert, []],
    ['alert as it is read', alerts.replace.body, { ...alert, id, status: 'resolved', environment_id: null, evaluation_name: null }, []],
    ['alert over 100 %', alerts.create.body, { ...alert, threshold: 101 }, ['threshold']],
    ['alert on half a millisecond', alerts.create.body, { ...alert, metric: 'latency', threshold: 0.5 }, ['threshold']],
    ['alert on nothing spent', alerts.create.body, { ...alert, metric: 'cost', threshold: 0 }, ['threshold']],
    ['alert window', alerts.create.body, { ...alert, time_window: 4 }, ['time_window']],
    ['alert on silence', alerts.create.body, { ...alert, metric: 'model_calls', threshold: 1 }, []],
    ['alert on fewer calls than none', alerts.create.body, { ...alert, metric: 'model_calls', threshold: 0 }, ['threshold']],
    ['alert on a runaway', alerts.create.body, { ...alert, metric: 'runaway_runs', threshold: 0 }, []],
    ['alert on half a runaway', alerts.create.body, { ...alert, metric: 'runaway_runs', threshold: 0.5 }, ['threshold']],
    ['alert on a score', alerts.create.body, { ...alert, metric: 'evaluation_score', threshold: 1, ...evaluation }, []],
    ['alert on no score', alerts.create.body, { ...alert, metric: 'evaluation_score', threshold: 1 }, Object.keys(evaluation)],
    ['alert with a score too many', alerts.create.body, { ...alert, evaluation_name: 'tone' }, ['evaluation_name']],
    ['queue', annotationQueues.create.body, { name: 'q', score_config_names: ['tone'] }, []],
    ['queue of nothing', annotationQueues.create.body, {}, ['name', 'score_config_names']],
    ['queue whose name is only NUL', annotationQueues.create.body, { name: '\0', score_config_names: ['tone'] }, ['name']],
    ['queue change', annotationQueues.update.body, { description: null }, []],
    ['queue without change', annotationQueues.update.body, { unknown: 1 }, ['_']],
    [
      'items',
      annotationItems.add.body,
      { items: [{ resource_id: 'r' }, { resource_id: 'r', resource_type: 'page' }] },
      ['items.1.resource_type'],
    ],
    ['review', annotationItems.review.body, { status: 'completed', scores: [{ name: 'n', score: '1' }] }, ['scores.0.score']],
    ['key', apiKeys.create.body, { name: 'k', permissions: ['trace.write', 'trace.rite'] }, ['permissions.1']],
    ['app', apps.create.body, { name: 'x'.repeat(101) }, ['name']],
    ['app name counted without NUL', apps.create.body, { name: `${'x'.repeat(100)}\0` }, []],
    ['app without change', apps.update.body, {}, ['_']],
    ['environment', environments.create.body, { name: 'staging', pr_number: 0 }, []],
    ['environment with a space', environments.create.body, { name: ' staging' }, ['name']],
    ['environment with a line break', environments.create.body, { name: 'a\nb' }, ['name']],
    ['promotion', environments.promote.body, { source_env_id: id, note: '' }, []],
    ['promotion of nothing', environments.promote.body, {}, ['source_env_id']],
    ['promotion of two things', environments.promote.body, { source_env_id: id, source_deployment_id: id }, ['source_env_id']],
    ['rollback', environments.rollback.body, { target_version: 0 }, ['target_version']],
    ['claim', evals.reportStatus.body, {}, []],
    ['success without a card', evals.reportStatus.body, { status: 'succeeded', costUsd: 1 }, ['status']],
    ['failure without an error', evals.reportStatus.body, { status: 'failed', card: {} }, ['status']],
    ['trials', evals.addTrials.body, { trials: [] }, ['trials']],
    ['escalation', evals.escalate.body, { attempts: -1 }, ['attempts', 'task_ids']],
    ['turn of white space', workerEnvironments.createTurn.body, { task_prompt: ' ' }, []],
    ['turn of nothing', workerEnvironments.createTurn.body, { task_prompt: '' }, ['task_prompt']],
    ['agent session', agents.ingest.body, { ...run, blobs: [{ sha256: 'A', media_type: 'image/png', data: '' }] }, ['blobs.0.sha256']],
    ['search', search.spans.body, {}, []],
    ['search with a key too many', search.traces.body, { query: 'x' }, ['_']],
    ['search with numbers as text', search.scores.body, { limit: '1', offset: '0' }, ['limit', 'offset']],
    ['search by another order', search.scores.body, { sort_by: 'start_time' }, ['sort_by']],
    ['search that ends first', search.traces.body, { start_date: '2026-01-02T00:00:00Z', end_date: '2026-01-01T00:00:00Z' }, ['end_date']],
    ['metrics without a range', metrics.get.query, { extended: 'yes' }, ['start_date', 'end_date', 'extended']],
  ])('%s: exactly the invalid fields are reported', (_, schema, value, fields) => {
    expect(invalidPaths(schema, value)).toEqual(fields);
  });

  it('a span search by timestamp is one by start_time', () => {
    expect(search.spans.body.parse({ sort_by: 'timestamp' })).toMatchObject({
      sort_by: 'start_time',
      sort_order: 'desc',
      limit: 50,
      offset: 0,
    });
  });

  it('“false” is not truthy', () => {
    expect(annotationQueues.list.query.parse({ assigned_to_me: 'false' })).toMatchObject({ assigned_to_me: false });
  });
});
