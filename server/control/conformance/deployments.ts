import { expect } from 'vitest';
import { must } from '../../platform/assert.ts';
import type { DeploymentDraft, RunningDeployment } from '../deployment-store.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { expire } from './leases.ts';
import { expectOneOf } from './race.ts';
import { all, anApp, anEnvironment, by, defaultOf, finishRelease, noCode, promotionOf, push } from './records.ts';

const draft = (commit_sha: string): DeploymentDraft => ({
  ...{ deployment_type: 'push', branch: 'main', commit_sha, commit_message: null, initiated_by: 'x' },
});

export function deploymentGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('of concurrent deployments the last one runs, and aborted the others', async ({ control, race }) => {
    const scope = await anApp(control);
    const { values, errors } = await race(({ deployments }, index) => deployments.start(by, scope, draft(`c${index}`), 'test'));
    expect(errors).toEqual([]);
    const { data, total } = await control.deployments.list(scope, { limit: 1000, offset: 0 });
    expect(total).toBe(values.length);
    const running = data.filter(({ deployment_status }) => deployment_status === 'running');
    expect(running.map(({ files_status, code_status }) => [files_status, code_status])).toEqual([['syncing', 'pending']]);
    const aborters = data.flatMap(({ aborted_by_deployment_id }) => aborted_by_deployment_id ?? []);
    expect([new Set(aborters).size, aborters.length]).toEqual([total - 1, total - 1]);
    expect((await control.deployments.list(scope, { ...all, status: 'running' })).data).toEqual(running);
    const left = values.filter(({ deployment }) => deployment.id === running[0]?.id);
    const claims = values.map(({ claim }) => claim);
    expect(await control.leases.renew('test', claims)).toEqual(left.map(({ claim }) => claim));
    const [aborted] = data.filter(({ deployment_status }) => deployment_status === 'failure');
    for (const each of values) if (!left.includes(each)) expect(await control.deployments.sync(by, each, [])).toBeNull();
    expect(await control.deployments.find(scope, aborted?.id ?? '')).toEqual(aborted);
  });

  guarantee('the files of a deployment are stored once, and it ends once', async ({ control, race }) => {
    const scope = await anApp(control);
    const before = await defaultOf(control, scope);
    const running = await control.deployments.start(by, scope, draft('c1'), 'test');
    const { id } = running.deployment;
    const synced = await race(({ deployments }) => deployments.sync(by, running, [{ path: 'a', text: '1' }]));
    expect([synced.errors, synced.values.filter((value) => value?.files_status !== 'synced')]).toEqual([[], []]);
    const served = { epoch: before.epoch + 1, current_commit_sha: 'c1', latest_deployment_id: id };
    expect(await defaultOf(control, scope)).toMatchObject(served);
    expect((await control.apps.find(scope.tenant_id, scope.app_id))?.commit_sha).toBe('c1');
    expect((await control.snapshots.history(scope, before.id, 'a', all)).total).toBe(1);
    const ended = await race(({ deployments }, index) =>
      index % 2 === 0 ? deployments.finish(by, running, noCode) : deployments.fail(by, running, 'unreadable'),
    );
    const deployment = expectOneOf(ended);
    expect(deployment.completed_at).toEqual(expect.any(String));
    expect(await control.deployments.find(scope, id)).toEqual(deployment);
    expect(await control.deployments.sync(by, running, [])).toBeNull();
    expect(await defaultOf(control, scope)).toMatchObject(served);
  });

  guarantee('a deployment whose files cannot be read fails, and leaves what the environment serves', async ({ control }) => {
    const scope = await anApp(control);
    const first = await push(control, scope, 'c1', { a: '1' });
    const running = await control.deployments.start(by, scope, draft('c2'), 'test');
    const failed = await control.deployments.fail(by, running, 'unreadable');
    expect(failed).toMatchObject({ deployment_status: 'failure', files_status: 'failed', failure_reason: 'unreadable' });
    expect(await control.deployments.finish(by, running, noCode)).toBeNull();
    expect((await defaultOf(control, scope)).latest_deployment_id).toBe(first);
    expect((await control.deployments.list(scope, { ...all, status: 'failure' })).data).toEqual([failed]);
  });

  guarantee('a gateway that lost a deployment to another one changes nothing with it', async ({ control, race, time }) => {
    const scope = await anApp(control);
    const lost = await control.deployments.start(by, scope, draft('c1'), 'test');
    const ofApp = (all: RunningDeployment[]) => all.filter((each) => each.scope.app_id === scope.app_id);
    expect(ofApp(await control.deployments.takeOver('other'))).toEqual([]);
    expire(time);
    const { values, errors } = await race(({ deployments }, index) => deployments.takeOver(`gateway ${index}`));
    expect(errors).toEqual([]);
    const [taken, ...more] = ofApp(values.flat());
    expect([taken, more]).toEqual([{ ...lost, claim: { ...lost.claim, holder: expect.any(String), epoch: 2 } }, []]);
    const { deployments } = control;
    expect([
      await deployments.sync(by, lost, []),
      await deployments.fail(by, lost, 'late'),
      await deployments.finish(by, lost, noCode),
    ]).toEqual([...[null, null, null]]);
    expect(await deployments.find(scope, lost.deployment.id)).toEqual(lost.deployment);
    expect(await deployments.fail(by, must(taken ?? null, 'it was taken over'), 'cut')).toMatchObject({ failure_reason: 'cut' });
  });

  guarantee('deployments are listed newest first, and found by version and by running code', async ({ control }) => {
    const scope = await anApp(control);
    const ids = [await push(control, scope, 'c1', {}), await push(control, scope, 'c2', {})];
    const { id: standard } = await defaultOf(control, scope);
    expect((await control.deployments.list(scope, all)).data.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
    expect(await control.deployments.findRunningCode(scope, standard)).toBeNull();
    const running = await control.deployments.start(by, scope, draft('c3'), 'test');
    const { id } = running.deployment;
    await control.deployments.sync(by, running, []);
    await control.deployments.finish(by, running, { code_status: 'deployed', code_failure_reason: null });
    expect((await control.deployments.findRunningCode(scope, standard))?.id).toBe(id);
    const environment = await anEnvironment(control, scope);
    const { saga, deployment } = await control.sagas.release(
      by,
      scope,
      await promotionOf(control, scope, environment, ids[0] ?? null),
      'test',
    );
    await finishRelease(control, saga);
    expect((await control.deployments.findVersion(scope, environment.id, 1))?.id).toBe(deployment.id);
    expect(await control.deployments.findVersion(scope, environment.id, 2)).toBeNull();
    expect((await control.deployments.list(scope, { ...all, environment_id: environment.id })).total).toBe(1);
    expect(await control.deployments.list(scope, { limit: 1, offset: 1, environment_id: standard })).toMatchObject({
      ...{ total: 3, data: [{ id: ids[1] }] },
    });
  });
}
