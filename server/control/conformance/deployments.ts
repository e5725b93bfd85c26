import { expect } from 'vitest';
import type { DeploymentDraft } from '../deployment-store.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { expectOneOf } from './race.ts';
import { all, anApp, anEnvironment, by, defaultOf, finishRelease, noCode, promotionOf, push } from './records.ts';

const draft = (commit_sha: string): DeploymentDraft => ({
  ...{ deployment_type: 'push', branch: 'main', commit_sha, commit_message: null, initiated_by: 'x' },
});

export function deploymentGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('of concurrent deployments the last one runs, and aborted the others', async ({ control, race }) => {
    const scope = await anApp(control);
    const { values, errors } = await race(({ deployments }, index) => deployments.start(by, scope, draft(`c${index}`)));
    expect(errors).toEqual([]);
    const { data, total } = await control.deployments.list(scope, { limit: 1000, offset: 0 });
    expect(total).toBe(values.length);
    const running = data.filter(({ deployment_status }) => deployment_status === 'running');
    expect(running.map(({ files_status, code_status }) => [files_status, code_status])).toEqual([['syncing', 'pending']]);
    const aborters = data.flatMap(({ aborted_by_deployment_id }) => aborted_by_deployment_id ?? []);
    expect([new Set(aborters).size, aborters.length]).toEqual([total - 1, total - 1]);
    expect((await control.deployments.list(scope, { ...all, status: 'running' })).data).toEqual(running);
    expect((await control.deployments.unfinished()).filter((each) => each.scope.app_id === scope.app_id)).toEqual([
      { scope, deployment: running[0] },
    ]);
    const [aborted] = data.filter(({ deployment_status }) => deployment_status === 'failure');
    expect(await control.deployments.sync(by, scope, aborted?.id ?? '', [])).toBeNull();
    expect(await control.deployments.find(scope, aborted?.id ?? '')).toEqual(aborted);
  });

  guarantee('the files of a deployment are stored once, and it ends once', async ({ control, race }) => {
    const scope = await anApp(control);
    const before = await defaultOf(control, scope);
    const { id } = await control.deployments.start(by, scope, draft('c1'));
    const synced = await race(({ deployments }) => deployments.sync(by, scope, id, [{ path: 'a', text: '1' }]));
    expect([synced.errors, synced.values.filter((value) => value?.files_status !== 'synced')]).toEqual([[], []]);
    const served = { epoch: before.epoch + 1, current_commit_sha: 'c1', latest_deployment_id: id };
    expect(await defaultOf(control, scope)).toMatchObject(served);
    expect((await control.apps.find(scope.tenant_id, scope.app_id))?.commit_sha).toBe('c1');
    expect((await control.snapshots.history(scope, before.id, 'a', all)).total).toBe(1);
    const ended = await race(({ deployments }, index) =>
      index % 2 === 0 ? deployments.finish(by, scope, id, noCode) : deployments.fail(by, scope, id, 'unreadable'),
    );
    const deployment = expectOneOf(ended);
    expect(deployment.completed_at).toEqual(expect.any(String));
    expect(await control.deployments.find(scope, id)).toEqual(deployment);
    expect(await control.deployments.sync(by, scope, id, [])).toBeNull();
    expect(await defaultOf(control, scope)).toMatchObject(served);
  });

  guarantee('a deployment whose files cannot be read fails, and leaves what the environment serves', async ({ control }) => {
    const scope = await anApp(control);
    const first = await push(control, scope, 'c1', { a: '1' });
    const { id } = await control.deployments.start(by, scope, draft('c2'));
    const failed = await control.deployments.fail(by, scope, id, 'unreadable');
    expect(failed).toMatchObject({ deployment_status: 'failure', files_status: 'failed', failure_reason: 'unreadable' });
    expect(await control.deployments.finish(by, scope, id, noCode)).toBeNull();
    expect((await defaultOf(control, scope)).latest_deployment_id).toBe(first);
    expect((await control.deployments.list(scope, { ...all, status: 'failure' })).data).toEqual([failed]);
  });

  guarantee('deployments are listed newest first, and found by version and by running code', async ({ control }) => {
    const scope = await anApp(control);
    const ids = [await push(control, scope, 'c1', {}), await push(control, scope, 'c2', {})];
    const { id: standard } = await defaultOf(control, scope);
    expect((await control.deployments.list(scope, all)).data.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
    expect(await control.deployments.findRunningCode(scope, standard)).toBeNull();
    const { id } = await control.deployments.start(by, scope, draft('c3'));
    await control.deployments.sync(by, scope, id, []);
    await control.deployments.finish(by, scope, id, { code_status: 'deployed', code_failure_reason: null });
    expect((await control.deployments.findRunningCode(scope, standard))?.id).toBe(id);
    const environment = await anEnvironment(control, scope);
    const { saga, deployment } = await control.sagas.release(by, scope, await promotionOf(control, scope, environment, ids[0] ?? null));
    await finishRelease(control, saga);
    expect((await control.deployments.findVersion(scope, environment.id, 1))?.id).toBe(deployment.id);
    expect(await control.deployments.findVersion(scope, environment.id, 2)).toBeNull();
    expect((await control.deployments.list(scope, { ...all, environment_id: environment.id })).total).toBe(1);
    expect(await control.deployments.list(scope, { limit: 1, offset: 1, environment_id: standard })).toMatchObject({
      ...{ total: 3, data: [{ id: ids[1] }] },
    });
  });
}
