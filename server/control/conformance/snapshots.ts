import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Scope } from '../../platform/scope.ts';
import type { ControlStore } from '../control-store.ts';
import type { DeployedChange } from '../snapshot-store.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { all, anApp, anEnvironment, by, defaultOf, finishRelease, promotionOf, push } from './records.ts';

const summaryOf = (changes: readonly DeployedChange[]) =>
  changes.map(({ path, change, deployment }) => `${path} ${change} ${deployment.commit_sha}`).sort();

const historyOf = async (control: ControlStore, scope: Scope, environment: string, path: string) =>
  (await control.snapshots.history(scope, environment, path, all)).data.map(
    ({ change, deployment }) => `${change} ${deployment.commit_sha}`,
  );

export function snapshotGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('a deployment keeps its files, byte for byte', async ({ control }) => {
    const scope = await anApp(control);
    const files = { 'ä/ü.mdx': 'ä\r\n\t', '\u{10000}': '', '\uFFFD': 'last of the plane', a: 'x'.repeat(100_000) };
    const id = await push(control, scope, 'c1', files);
    await push(control, scope, 'c2', { a: 'other' });
    const paths = ['a', 'ä/ü.mdx', '\uFFFD', '\u{10000}'];
    expect(await control.snapshots.paths(scope, id)).toEqual(paths);
    const expected = paths.map((path) => ({ path, text: files[path as keyof typeof files] }));
    expect(await control.snapshots.files(scope, id)).toEqual(expected);
    expect(await control.snapshots.text(scope, id, 'ä/ü.mdx')).toBe(files['ä/ü.mdx']);
    expect([await control.snapshots.text(scope, id, 'b'), await control.snapshots.text(scope, randomUUID(), 'a')]).toEqual([null, null]);
    expect([await control.snapshots.paths(scope, randomUUID()), await control.snapshots.files(scope, randomUUID())]).toEqual([[], null]);
    const empty = await push(control, scope, 'c3', {});
    expect(await control.snapshots.files(scope, empty)).toEqual([]);
  });

  guarantee('the changes of a file are found, in each environment by the files that it served', async ({ control }) => {
    const scope = await anApp(control);
    const { id: environment } = await defaultOf(control, scope);
    const first = await push(control, scope, 'c1', { a: '1', b: '1' });
    await push(control, scope, 'c2', { a: '2', b: '1' });
    await push(control, scope, 'c3', { a: '2', b: '1' });
    await push(control, scope, 'c4', { b: '2', c: '1' });
    const last = await push(control, scope, 'c5', { a: '1', b: '2', c: '1' });
    expect(await historyOf(control, scope, environment, 'a')).toEqual(['added c5', 'removed c4', 'changed c2', 'added c1']);
    expect(await historyOf(control, scope, environment, 'b')).toEqual(['changed c4', 'added c1']);
    expect(await historyOf(control, scope, environment, 'nothing')).toEqual([]);
    const latest = summaryOf(await control.snapshots.latestChanges(scope, environment));
    expect(latest).toEqual(['a added c5', 'b changed c4', 'c added c4']);
    const page = await control.snapshots.history(scope, environment, 'a', { limit: 1, offset: 1 });
    expect([summaryOf(page.data), page.total]).toEqual([['a removed c4'], 4]);

    const staging = await anEnvironment(control, scope);
    for (const source of [first, last]) {
      const target = (await control.environments.find(scope, staging.id)) ?? staging;
      await finishRelease(
        control,
        (await control.sagas.release(by, scope, await promotionOf(control, scope, target, source), 'test')).saga,
      );
    }
    expect(await historyOf(control, scope, staging.id, 'b')).toEqual(['changed p', 'added p']);
    expect(await historyOf(control, scope, staging.id, 'a')).toEqual(['added p']);
    expect(await control.snapshots.compare(scope, first, last)).toEqual([
      { path: 'b', change: 'changed' },
      { path: 'c', change: 'added' },
    ]);
    expect(await control.snapshots.compare(scope, last, null)).toEqual(['a', 'b', 'c'].map((path) => ({ path, change: 'removed' })));

    const other = await anApp(control);
    for (const foreign of [other, { ...other, app_id: scope.app_id }, { ...scope, app_id: other.app_id }]) {
      expect((await control.snapshots.history(foreign, environment, 'a', all)).total).toBe(0);
      expect(await control.snapshots.latestChanges(foreign, environment)).toEqual([]);
      expect(await control.snapshots.compare(foreign, first, last)).toEqual([]);
    }
  });
}
