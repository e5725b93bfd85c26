import { expect, it } from 'vitest';
import { changesOf } from './audit-changes.ts';

const record = { id: 'i', tenant_id: 't', updated_at: 'now', name: 'n', note: 'text of a person' };

it('a created or removed record has only values that may be shown; a changed one also the names of other changed properties', () => {
  expect(changesOf('app.create', undefined, record)).toEqual([{ field: 'name', after: 'n' }]);
  expect(changesOf('app.delete', record, undefined)).toEqual([{ field: 'name', before: 'n' }]);
  const after = { ...record, id: 'j', updated_at: 'later', name: 'm', note: 'another text' };
  expect(changesOf('app.update', record, after)).toEqual([{ field: 'name', before: 'n', after: 'm' }, { field: 'note' }]);
  expect(changesOf('app.update', record, { ...record, updated_at: 'later' })).toBeNull();
  expect(changesOf('refused', undefined, undefined)).toBeNull();
});

it('values of secrets, webhook addresses, texts and people are never shown, whatever the action', () => {
  const hidden = [
    'url',
    'sealed_secret',
    'sealed_token',
    'digest',
    'password_hash',
    'email',
    'body',
    'note',
    'task_prompt',
    'instructions',
  ];
  const before = Object.fromEntries(hidden.map((field) => [field, 'before']));
  const after = Object.fromEntries(hidden.map((field) => [field, 'after']));
  const resources = ['alert_webhook', 'alert_slack', 'user', 'member', 'invitation', 'api_key', 'git', 'comment', 'worker_run', 'session'];
  for (const resource of resources) {
    expect(changesOf(`${resource}.put`, before, after), resource).toEqual(hidden.map((field) => ({ field })));
    expect(changesOf(`${resource}.create`, undefined, after), resource).toBeNull();
  }
  expect(changesOf('member.set', { name: 'Mira', role: 'read' }, { name: 'Mira M', role: 'write' })).toEqual([
    { field: 'name' },
    { field: 'role', before: 'read', after: 'write' },
  ]);
});

it('a value has at most 200 characters and is whole text; lists are joined', () => {
  const shown = (value: unknown) => changesOf('api_key.create', undefined, { name: value })?.[0]?.after;
  expect(shown('x'.repeat(200))).toBe('x'.repeat(200));
  expect(shown('x'.repeat(201))).toBe(`${'x'.repeat(199)}…`);
  expect(shown('😀'.repeat(150))).toSatisfy((text: string) => text.isWellFormed() && text.length <= 200);
  expect([shown(['a.read', 'b.read']), shown(3), shown(false)]).toEqual(['a.read, b.read', 3, false]);
});
