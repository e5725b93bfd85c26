import { fail } from '../../app/fail.ts';
import { defineModule } from '../../app/module.ts';
import { fromProject, nameless } from '../../app/project-failure.ts';

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
