import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { must } from '../../platform/assert.ts';
import type { Scope } from '../../platform/scope.ts';
import type { ControlStore } from '../control-store.ts';
import type { Environment } from '../environment-store.ts';
import type { Saga } from '../saga-store.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { expire } from './leases.ts';
import { expectSuccesses } from './race.ts';
import { all, anApp, anEnvironment, auditedTimes, by, defaultOf, finishRelease, keyDraft, noCode, promotionOf, push } from './records.ts';

interface Release {
  scope: Scope;
  environment: Environment;
  saga: Saga;
  deploymentId: string;
}

/** A promotion that has begun. */
async function aRelease(control: ControlStore): Promise<Release> {
  const scope = await anApp(control);
  const source = await push(control, scope, 'c1', { a: '1' });
  const environment = await anEnvironment(control, scope);
  const { saga, deployment } = await control.sagas.release(by, scope, await promotionOf(control, scope, environment, source), 'test');
  return { scope, environment, saga, deploymentId: deployment.id };
}

const failedCode = (reason: string) => ({ code_status: 'failed', code_failure_reason: reason }) as const;

export function sagaGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('of concurrent environments of an app with one name one is created', async ({ control, race }) => {
    const scope = await anApp(control);
    const result = await race(({ sagas }) => sagas.create(by, scope, { name: 'one', pr_number: null }, null, 'test'));
    const [created] = expectSuccesses(result, 1, 'Duplicate');
    expect((await control.environments.list(scope, { ...all, name: 'one' })).data).toEqual([created?.environment]);
    expect(await control.sagas.step(must(created ?? null, 'one was created').saga)).toBe('begun');
  });

  guarantee('a pull request has one preview, however many are created at once', async ({ control, race }) => {
    const scope = await anApp(control);
    const result = await race(({ sagas }, index) => sagas.create(by, scope, { name: `${index}`, pr_number: 7 }, null, 'test'));
    const [created] = expectSuccesses(result, 1, 'Duplicate');
    expect(await control.environments.findPreview(scope, 7)).toEqual(created?.environment);
    expect(created?.environment).toMatchObject({ kind: 'preview', is_ephemeral: true, source_pr_number: 7 });
    expect(await control.environments.findPreview(scope, 8)).toBeNull();
  });

  guarantee('environments stay within the limit', async ({ control, race }) => {
    const scope = await anApp(control);
    const result = await race(({ sagas }, index) => sagas.create(by, scope, { name: `${index}`, pr_number: null }, 4, 'test'));
    expectSuccesses(result, 3, 'LimitReached');
    expect(result.errors[0]).toMatchObject({ current: 4, limit: 4 });
    expect((await control.environments.list(scope, all)).total).toBe(4);
  });

  guarantee('an environment has one operation at a time', async ({ control, race }) => {
    const scope = await anApp(control);
    const source = await push(control, scope, 'c1', { a: '1' });
    const environment = await anEnvironment(control, scope);
    const plan = await promotionOf(control, scope, environment, source);
    for (const first of [0, 1]) {
      const result = await race(async ({ sagas }, index) =>
        index % 2 === first ? (await sagas.release(by, scope, plan, 'test')).saga : sagas.remove(by, scope, environment.id, 'test'),
      );
      const [begun] = expectSuccesses(result, 1, 'OperationInProgress');
      const saga = must(begun ?? null, 'the environment exists');
      expect(result.errors.every((error) => 'in_flight_saga_id' in error && error.in_flight_saga_id === saga.id)).toBe(true);
      expect((await control.environments.findDetail(scope, environment.id))?.in_flight_saga_id).toBe(saga.id);
      await control.sagas.abandon(saga);
      expect(await control.sagas.step(saga)).toBeNull();
    }
  });

  guarantee('an operation planned before another one changed the environment does not begin', async ({ control }) => {
    const { scope, environment, saga } = await aRelease(control);
    await finishRelease(control, saga);
    const late = control.sagas.release(by, scope, await promotionOf(control, scope, environment, null), 'test');
    await expect(late).rejects.toMatchObject({ name: 'OperationInProgress', in_flight_saga_id: null });
    const now = must(await control.environments.find(scope, environment.id), 'it exists');
    expect(now).toMatchObject({ epoch: environment.epoch + 1, current_version: 1 });
    const next = await control.sagas.release(by, scope, await promotionOf(control, scope, now, null), 'test');
    expect(next.deployment).toMatchObject({ env_version: 2, environment_name: environment.name });
  });

  guarantee('a step that several run at once is done once', async ({ control, race }) => {
    const { scope, environment, saga, deploymentId } = await aRelease(control);
    const audited = (action: string, target: string) => auditedTimes(control, scope.tenant_id, action, target);
    const pinned = await race(({ sagas }) => sagas.pin(saga));
    expect(pinned.errors).toEqual([]);
    expect(pinned.values.every((value) => value?.step === 'pinned')).toBe(true);
    expect(await control.environments.find(scope, environment.id)).toMatchObject({ epoch: environment.epoch + 1, current_version: 1 });
    expect(await audited('environment.pin', environment.id)).toBe(1);

    const built = await race(({ sagas }, index) => sagas.built(saga, failedCode(`by ${index}`)));
    expect([built.errors, new Set(built.values.map((value) => value?.step))]).toEqual([[], new Set(['built'])]);
    const outcome = (await control.deployments.find(scope, deploymentId))?.code_failure_reason;
    expect(outcome).toMatch(/^by \d+$/);
    await control.sagas.built(saga, noCode);
    expect((await control.deployments.find(scope, deploymentId))?.code_failure_reason).toBe(outcome);

    expect((await race(({ sagas }) => sagas.finish(saga))).errors).toEqual([]);
    expect(await audited('deployment.finish', deploymentId)).toBe(1);
    expect(await control.sagas.step(saga)).toBeNull();
  });

  guarantee('no step of an ended operation changes anything', async ({ control }) => {
    const { scope, environment, saga, deploymentId } = await aRelease(control);
    await finishRelease(control, saga);
    const state = () => Promise.all([control.environments.find(scope, environment.id), control.deployments.find(scope, deploymentId)]);
    const before = await state();
    expect([await control.sagas.pin(saga), await control.sagas.built(saga, failedCode('late'))]).toEqual([null, null]);
    await control.sagas.finish(saga);
    await control.sagas.abandon(saga);
    await control.sagas.discard(saga);
    expect(await state()).toEqual(before);
  });

  guarantee('a gateway that lost a saga to another one changes nothing with it', async ({ control, race, time }) => {
    const { scope, environment, saga, deploymentId } = await aRelease(control);
    const { saga: creation, environment: created } = await control.sagas.create(by, scope, { name: 'new', pr_number: null }, null, 'test');
    const ofApp = (sagas: Saga[]) => sagas.filter((each) => each.scope.app_id === scope.app_id);
    expect(ofApp(await control.sagas.takeOver('other'))).toEqual([]);
    expire(time);
    const { values, errors } = await race(({ sagas }, index) => sagas.takeOver(`gateway ${index}`));
    expect(errors).toEqual([]);
    const taken = ofApp(values.flat());
    expect(taken).toEqual([saga, creation].map((lost) => ({ ...lost, claim: { ...lost.claim, holder: expect.any(String), epoch: 2 } })));
    const state = () => Promise.all([control.environments.list(scope, all), control.deployments.find(scope, deploymentId)]);
    const before = await state();
    expect([await control.sagas.pin(saga), await control.sagas.built(saga, noCode), await control.sagas.step(saga)]).toEqual([
      null,
      null,
      null,
    ]);
    await control.sagas.finish(saga);
    await control.sagas.abandon(saga);
    expect(await control.sagas.settle(creation, 'late')).toBeNull();
    await control.sagas.discard(creation);
    expect(await state()).toEqual(before);
    const [release, undone] = taken as [Saga, Saga];
    await finishRelease(control, release);
    await control.sagas.discard(undone);
    expect(await control.environments.find(scope, environment.id)).toMatchObject({ current_version: 1 });
    expect(await control.environments.find(scope, created.id)).toBeNull();
    expect(await control.leases.renew(undone.claim.holder, [undone.claim])).toEqual([]);
  });

  guarantee('an environment that is settled and discarded at once is either there or not', async ({ control, race }) => {
    const scope = await anApp(control);
    for (const first of [0, 1]) {
      const { saga, environment } = await control.sagas.create(by, scope, { name: randomUUID(), pr_number: null }, null, 'test');
      const { values, errors } = await race(async ({ sagas }, index) =>
        index % 2 === first ? await sagas.settle(saga, 'hosted') : void (await sagas.discard(saga)),
      );
      expect(errors).toEqual([]);
      const found = await control.environments.find(scope, environment.id);
      expect(new Set(values.map((value) => JSON.stringify(value ?? null)))).toContain(JSON.stringify(found));
      expect(values.some((value) => value?.hosting_app_name === 'hosted')).toBe(found !== null);
      const target = [scope.tenant_id, environment.id] as const;
      const [settled, deleted] = [
        await auditedTimes(control, target[0], 'environment.settle', target[1]),
        await auditedTimes(control, target[0], 'environment.delete', target[1]),
      ];
      expect([settled, deleted]).toEqual(found ? [1, 0] : [0, 1]);
    }
  });

  guarantee('a release whose source was deleted fails, and keeps its version', async ({ control }) => {
    const scope = await anApp(control);
    const [source, target] = [await anEnvironment(control, scope), await anEnvironment(control, scope)];
    const first = await control.sagas.release(by, scope, await promotionOf(control, scope, source, null), 'test');
    await finishRelease(control, first.saga);
    const plan = { ...(await promotionOf(control, scope, target, first.deployment.id)), source_env_id: source.id };
    const { saga, deployment } = await control.sagas.release(by, scope, plan, 'test');
    await control.sagas.discard(must(await control.sagas.remove(by, scope, source.id, 'test'), 'it exists'));
    expect(await control.sagas.pin(saga)).toBeNull();
    expect(await control.deployments.find(scope, deployment.id)).toMatchObject({ deployment_status: 'failure', env_version: 1 });
    expect(await control.sagas.step(saga)).toBeNull();
    const again = await control.sagas.release(by, scope, await promotionOf(control, scope, target, null), 'test');
    expect(again.deployment.env_version).toBe(2);
    expect(await control.environments.find(scope, target.id)).toEqual(target);
  });

  guarantee('an environment is deleted with its records', async ({ control }) => {
    const scope = await anApp(control);
    const source = await push(control, scope, 'c1', { a: '1' });
    const environment = await anEnvironment(control, scope);
    await finishRelease(
      control,
      (await control.sagas.release(by, scope, await promotionOf(control, scope, environment, source), 'test')).saga,
    );
    const key = keyDraft('k', { environment_id: environment.id });
    await control.keys.create(by, scope, key, null);
    const detail = await control.environments.findDetail(scope, environment.id);
    const counts = { alert_count: 0, api_key_count: 1, deployment_count: 1, template_snapshot_count: 1 };
    expect(detail).toMatchObject({ in_flight_saga_id: null, cascade_preview: counts });
    await control.sagas.discard(must(await control.sagas.remove(by, scope, environment.id, 'test'), 'it exists'));
    expect(await control.environments.findDetail(scope, environment.id)).toBeNull();
    expect(await control.keys.findByDigest(key.digest)).toBeNull();
    expect((await control.deployments.list(scope, { ...all, environment_id: environment.id })).total).toBe(0);
    expect(await control.sagas.remove(by, scope, environment.id, 'test')).toBeNull();
  });

  guarantee('environments are listed with the default one first, and found by name', async ({ control }) => {
    const scope = await anApp(control);
    const made = [await anEnvironment(control, scope, 'b'), await anEnvironment(control, scope, 'a')];
    const first = await defaultOf(control, scope);
    expect(await control.environments.list(scope, all)).toEqual({ data: [first, ...made], total: 3 });
    expect(await control.environments.list(scope, { limit: 1, offset: 1 })).toEqual({ data: [made[0]], total: 3 });
    expect(await control.environments.findNamed(scope, 'a')).toEqual(made[1]);
    expect(await control.environments.findNamed(scope, 'A')).toBeNull();
    const places = (await control.environments.listAllApps()).filter((place) => place.scope.app_id === scope.app_id);
    expect(places.map(({ environment_id }) => environment_id).sort()).toEqual([first, ...made].map(({ id }) => id).sort());
    expect(places.every((place) => place.scope.tenant_id === scope.tenant_id)).toBe(true);
  });
}
