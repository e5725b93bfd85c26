import { expect, it } from 'vitest';
import { actionInWords, changesInWords } from './audit-words.ts';

it('every action has words, its own or those of its parts', () => {
  const actions = ['session.refuse', 'alert.update', 'annotation_queue.delete', 'eval_run.finished', 'refused'];
  expect(actions.map(actionInWords)).toEqual([
    'Wrong password',
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
