import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anApp, anEnvironment, by, finishRelease, promotionOf, push } from '../conformance/records.ts';
import { TestTime } from '../conformance/test-time.ts';
import type { ControlStore } from '../control-store.ts';
import { fileChanges } from './migrations/013-file-changes.ts';
import { controlFile, openSqliteControl } from './open.ts';

let folder: string;
let control: ControlStore;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-changes-'));
  control = openSqliteControl(folder, new TestTime());
});
afterAll(async () => {
  await control.stop();
  rmSync(folder, { recursive: true });
});

it('finds changes that were deployed by an earlier version', async () => {
  const scope = await anApp(control);
  const source = await push(control, scope, 'c1', { a: '1', b: '1' });
  await push(control, scope, 'c2', { a: '2', c: '1' });
  await push(control, scope, 'c3', { a: '2', c: '1' });
  const staging = await anEnvironment(control, scope);
  await finishRelease(control, (await control.sagas.release(by, scope, await promotionOf(control, scope, staging, source), 'test')).saga);
  const db = new Database(controlFile(folder));
  const recorded = () =>
    db.prepare('SELECT environment_id, deployment_id, path, change, hash FROM file_change ORDER BY environment_id, position').all();
  const before = recorded();
  expect(before).toHaveLength(7);
  db.exec('DROP TABLE file_change');
  db.exec(fileChanges);
  expect(recorded()).toEqual(before);
  db.close();
});
