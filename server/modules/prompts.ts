import { fail } from '../app/fail.ts';
import { defineModule } from '../app/module.ts';
import { fromProject, nameless } from '../app/project-failure.ts';

export const promptsModule = defineModule({
  group: 'prompts',
  needs: ['project'],
  build: ({ project }) => ({
    list: async ({ scope }, { query: { name } }) => {
      if (name === undefined && !project.capabilities.listing)
        fail('not_available_on_cloud', 'Prompts can be listed by name only', { hint: 'Ask with ?name=, or ask the local gateway.' });
      const found = await fromProject(nameless, () => project.prompts(scope, name));
      return { data: { paths: found.map(({ path }) => path) } };
    },
  }),
});
