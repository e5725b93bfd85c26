import { fail } from '../app/fail.ts';
import { defineModule } from '../app/module.ts';
import { asPage } from '../app/page.ts';

export const deploymentsModule = defineModule({
  group: 'deployments',
  needs: ['control'],
  build: ({ control: { deployments } }) => ({
    list: async ({ scope }, { query }) => asPage(query, await deployments.list(scope, query)),

    get: async ({ scope }, { params: { deploymentId } }) => {
      const found = await deployments.find(scope, deploymentId.toLowerCase());
      return { data: found ?? fail('deployment_not_found', `There is no deployment ${deploymentId}`) };
    },
  }),
});
