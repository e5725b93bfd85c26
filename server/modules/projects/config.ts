import { fail } from '../../app/fail.ts';
import { defineModule } from '../../app/module.ts';
import { fromProject, nameless } from '../../app/project-failure.ts';
import type { Scope } from '../../platform/scope.ts';
import { scoreConfigsOf } from '../../project/score-configs.ts';

export const scoreConfigsModule = defineModule({
  group: 'scoreConfigs',
  needs: ['project'],
  build: ({ project }) => {
    const all = async (scope: Scope) => scoreConfigsOf(await fromProject(nameless, () => project.config(scope)), scope.app_id);
    return {
      list: async ({ scope }, { query: { limit, offset } }) => {
        const found = await all(scope);
        return { data: found.slice(offset, offset + limit), pagination: { limit, offset, total: found.length } };
      },

      get: async ({ scope }, { params: { name } }) => {
        const found = (await all(scope)).find((config) => config.name === name);
        return { data: found ?? fail('score_config_not_found', `No score configuration ${name}`) };
      },
    };
  },
});

export const configModule = defineModule({
  group: 'config',
  needs: ['project'],
  build: ({ project }) => ({
    get: async ({ scope }) => {
      const found = await fromProject(nameless, () => project.config(scope));
      return { data: found ?? fail('config_not_found', 'The project has no configuration file') };
    },
  }),
});
