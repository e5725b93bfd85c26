import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPlain } from './lines.ts';
import { Folders } from './session-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-history-'));
  mkdirSync(join(folder, 'elsewhere/subagents'), { recursive: true });
  writeFileSync(join(folder, 'elsewhere/subagents/agent.jsonl'), 'a secret');
  mkdirSync(join(folder, 'project/session'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

it('a folder is not entered by a link, wherever on the way to it the link is', () => {
  const project = join(folder, 'project');
  symlinkSync(join(folder, 'elsewhere'), join(project, 'linked'));
  symlinkSync(join(folder, 'elsewhere/subagents'), join(project, 'session/subagents'));
  expect(new Folders().entriesOf(project, 'linked')).toEqual([]);
  expect(new Folders().entriesOf(project, 'linked', 'subagents')).toEqual([]);
  expect(new Folders().entriesOf(project, 'session', 'subagents')).toEqual([]);
  expect(new Folders().entriesOf(folder, 'elsewhere', 'subagents').map(({ name }) => name)).toEqual(['agent.jsonl']);
});

it.skipIf(process.platform === 'win32')('a file that became a link since it was found is not opened', async () => {
  const link = join(folder, 'project/link.jsonl');
  symlinkSync(join(folder, 'elsewhere/subagents/agent.jsonl'), link);
  await expect(openPlain(link).toArray()).rejects.toMatchObject({ code: 'ELOOP' });
});

it.skipIf(process.platform === 'win32')('what is there and cannot be looked at is noted, and what is not there is not', () => {
  const folders = new Folders();
  expect(folders.entriesOf(folder, 'missing')).toEqual([]);
  expect(folders.entriesOf(join(folder, 'missing'))).toEqual([]);
  expect(folders.unreadable).toEqual([]);
  const long = 'x'.repeat(300);
  expect(folders.entriesOf(folder, long)).toEqual([]);
  expect(folders.unreadable).toEqual([{ path: join(folder, long), why: 'ENAMETOOLONG' }]);
});

it('a session that did not change stays the same object', () => {
  const file = (name: string, bytes = 1) => ({ path: join(folder, name), bytes, modifiedMs: 7.5 });
  const one = new Folders().session('one', file('one'));
  const two = new Folders().session('two', file('two'), [file('agent')]);
  const folders = new Folders(new Map([one, two].map((session) => [session.id, session])));
  expect(folders.session('one', file('one'))).toBe(one);
  expect(folders.session('two', file('two'), [file('agent')])).toBe(two);
  for (const changed of [
    folders.session('one', file('one', 2)),
    folders.session('one', file('one'), [file('agent')]),
    folders.session('one', file('moved')),
    folders.session('one', file('one'), [], true),
    folders.session('two', file('two'), [file('agent', 2)]),
  ])
    expect([one, two]).not.toContain(changed);
});
