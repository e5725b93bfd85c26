import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { must } from '../../platform/assert.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { anApp, anEnvironment, aTenant, auditedTimes, by, defaultOf } from './records.ts';

const none = { keep_days: null, environments: [] };

export function retentionGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('rules are replaced as a whole, each time with an entry in the audit log', async ({ control }) => {
    const scope = await anApp(control);
    const [first, second] = [await defaultOf(control, scope), await anEnvironment(control, scope)];
    expect(await control.retention.of(scope)).toEqual(none);
    const rules = { keep_days: 30, environments: [{ environment_id: first.id, keep_days: 7 }] };
    expect(await control.retention.replace(by, scope, rules)).toBe(true);
    expect(await control.retention.of(scope)).toEqual(rules);
    const others = { keep_days: null, environments: [{ environment_id: second.id, keep_days: 1 }] };
    expect(await control.retention.replace(by, scope, others)).toBe(true);
    expect(await control.retention.of(scope)).toEqual(others);
    expect(await auditedTimes(control, scope.tenant_id, 'retention.update', scope.app_id)).toBe(2);
  });

  guarantee('a rule for an environment that is not one of the app changes nothing', async ({ control }) => {
    const scope = await anApp(control);
    const [own, foreign] = [await defaultOf(control, scope), await defaultOf(control, await anApp(control, scope.tenant_id))];
    const rules = { keep_days: 30, environments: [{ environment_id: own.id, keep_days: 7 }] };
    await control.retention.replace(by, scope, rules);
    for (const id of [foreign.id, randomUUID()]) {
      const refused = { keep_days: 1, environments: [own.id, id].map((environment_id) => ({ environment_id, keep_days: 1 })) };
      expect(await control.retention.replace(by, scope, refused)).toBe(false);
    }
    expect(await control.retention.of(scope)).toEqual(rules);
  });

  guarantee('rules go with their environment and with their app', async ({ control }) => {
    const tenantId = await aTenant(control);
    const scope = await anApp(control, tenantId);
    const environment = await anEnvironment(control, scope);
    await control.retention.replace(by, scope, { keep_days: 30, environments: [{ environment_id: environment.id, keep_days: 7 }] });
    await control.sagas.discard(must(await control.sagas.remove(by, scope, environment.id, 'test'), 'it exists'));
    expect(await control.retention.of(scope)).toEqual({ keep_days: 30, environments: [] });
    expect(await control.retention.listApps()).toContainEqual(scope);
    await control.apps.remove(by, tenantId, scope.app_id);
    expect(await control.retention.of(scope)).toEqual(none);
    expect(await control.retention.listApps()).not.toContainEqual(scope);
  });

  guarantee('of concurrent replacements one is whole', async ({ control, race }) => {
    const scope = await anApp(control);
    const { id } = await defaultOf(control, scope);
    const rule = (index: number) => ({ keep_days: index + 1, environments: [{ environment_id: id, keep_days: index + 1 }] });
    const { errors } = await race(({ retention }, index) => retention.replace(by, scope, rule(index)));
    expect(errors).toEqual([]);
    const { keep_days, environments } = await control.retention.of(scope);
    expect(environments).toEqual([{ environment_id: id, keep_days }]);
  });
}
