import { expect } from 'vitest';
import type { CreatedScoreConfig } from '../score-config-store.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { expectSuccesses } from './race.ts';
import { anApp, auditedTimes, by } from './records.ts';

const configOf = (name: string): CreatedScoreConfig => ({
  ...{ name, description: 'd', archived: false },
  definition: { data_type: 'categorical', categories: [{ label: 'good', value: 0.1, color: 'green' }] },
});

export function scoreConfigGuarantees(guarantee: DeclareGuarantee): void {
  guarantee(
    'a score configuration is created once, however many create it at once, and read back as created',
    async ({ control, race }) => {
      const scope = await anApp(control);
      expectSuccesses(await race(({ scoreConfigs }) => scoreConfigs.create(by, scope, configOf('tone'), 500)), 1, 'Duplicate');
      await control.scoreConfigs.create(by, scope, configOf('Length'), 500);
      expect(await control.scoreConfigs.list(scope)).toEqual([configOf('Length'), configOf('tone')]);
      expect(await auditedTimes(control, scope.tenant_id, 'score_config.create', 'tone')).toBe(1);
      const same = await anApp(control, scope.tenant_id);
      await control.scoreConfigs.create(by, same, configOf('tone'), 500);
    },
  );

  guarantee('an app has at most as many score configurations as it may have', async ({ control, race }) => {
    const scope = await anApp(control);
    const result = await race(({ scoreConfigs }, index) => scoreConfigs.create(by, scope, configOf(`n${index}`), 3));
    expectSuccesses(result, 3, 'LimitReached');
    expect(await control.scoreConfigs.list(scope)).toHaveLength(3);
  });

  guarantee('a score configuration is replaced as a whole, and goes with its app', async ({ control }) => {
    const scope = await anApp(control);
    await control.scoreConfigs.create(by, scope, configOf('tone'), 500);
    const changed: CreatedScoreConfig = {
      ...{ name: 'tone', description: null, archived: true },
      definition: { data_type: 'numeric', min: -0.5 },
    };
    expect(await control.scoreConfigs.replace(by, scope, changed)).toEqual(changed);
    expect(await control.scoreConfigs.list(scope)).toEqual([changed]);
    expect(await control.scoreConfigs.replace(by, scope, configOf('other'))).toBeNull();
    expect(await auditedTimes(control, scope.tenant_id, 'score_config.update', 'tone')).toBe(1);
    await control.apps.remove(by, scope.tenant_id, scope.app_id);
    expect(await control.scoreConfigs.list(scope)).toEqual([]);
  });
}
