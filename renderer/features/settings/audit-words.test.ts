import { expect, it } from 'vitest';
import { actionInWords, auditResources, changesInWords } from './audit-words.ts';

/** What the control store writes, by resource. */
const written: Record<string, string> = {
  session: 'start end refuse',
  user: 'create password link',
  tenant: 'create plan',
  member: 'set join remove',
  invitation: 'create remove',
  api_key: 'create revoke',
  device_sign_in: 'approve deny',
  app: 'create update delete',
  environment: 'create settle delete pin promote rollback',
  deployment: 'start sync finish fail',
  git: 'connect link deploy unlink',
  alert: 'create update delete mute unmute acknowledge trigger resolve notify',
  alert_webhook: 'put delete',
  alert_slack: 'put delete',
  retention: 'update',
  trace: 'delete',
  annotation_queue: 'create update delete add',
  annotation_item: 'update delete review',
  comment: 'create delete',
  dataset: 'append',
  experiment_run: 'create succeeded failed cancelled timed_out',
  eval_run: 'create add_trials running succeeded failed',
  escalation: 'create',
  worker_environment: 'create close',
  worker_turn: 'create',
  worker_run: 'create cancel finish',
  agent_session: 'record',
};
const actions = Object.entries(written).flatMap(([resource, verbs]) => verbs.split(' ').map((verb) => `${resource}.${verb}`));

it('every action that is written has words, and every resource but the turn of a task is in the filter', () => {
  expect(actions.filter((action) => !/^[A-Z][^:_]+$/.test(actionInWords(action)))).toEqual([]);
  const filtered = auditResources.map(({ id }): string => id);
  expect(Object.keys(written).filter((resource) => !filtered.includes(resource))).toEqual(['worker_turn']);
});

it('an action has its own words, or those of its parts', () => {
  const some = ['alert.notify', 'deployment.finish', 'alert.update', 'annotation_queue.delete', 'eval_run.finished', 'refused'];
  expect(some.map(actionInWords)).toEqual([
    'Sent a late notification of an alert',
    'Finished a deployment',
    'Changed an alert',
    'Deleted an annotation queue',
    'eval run: finished',
    'Was refused',
  ]);
});

it('a change is told with its values, or only that it happened', () => {
  const changes = [{ field: 'role', before: 'read', after: 'write' }, { field: 'sealed_secret' }, { field: 'name', after: '' }];
  expect(changesInWords([...changes, { field: 'plan', before: 'team' }])).toBe(
    'role: read → write, secret changed, name: none, plan was team',
  );
  expect(changesInWords(null)).toBe('');
});
