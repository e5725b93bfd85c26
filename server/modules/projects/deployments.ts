import { fail } from '../../app/fail.ts';
import { asPage, defineModule } from '../../app/module.ts';
import type { ControlStore } from '../../control/control-store.ts';
import type { Scope } from '../../platform/scope.ts';
import { configNames } from '../../project/project-config.ts';

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

/** Files are shown to people; a dataset may be a thousand times as long as this. */
const shownCharsMax = 256 * 1024;

type Stores = Pick<ControlStore, 'environments' | 'deployments' | 'snapshots'>;

export const viewerReleasesModule = defineModule({
  group: 'viewerReleases',
  needs: ['control'],
  build: ({ control }) => ({
    changes: async ({ scope }, { params, query: { deployment_id } }) => {
      const { from, to } = await comparedDeployments(control, scope, params.id, deployment_id);
      const changes = await control.snapshots.compare(scope, from, to);
      return { data: changes.map((change) => ({ ...change, kind: kindOf(change.path) })) };
    },

    file: async ({ scope }, { params, query: { deployment_id, path } }) => {
      const { from, to } = await comparedDeployments(control, scope, params.id, deployment_id);
      const read = async (id: string | null) => clipped(id === null ? null : await control.snapshots.text(scope, id, path));
      return { data: { path, before: await read(from), after: await read(to) } };
    },
  }),
});

/** The deployment that the environment serves, and the one to compare it with; null for one without files. */
async function comparedDeployments({ environments, deployments }: Stores, scope: Scope, id: string, deploymentId: string | undefined) {
  const environment = await environments.find(scope, id.toLowerCase());
  if (!environment) fail('environment_not_found', `There is no environment ${id}`);
  const from = environment.latest_deployment_id;
  if (deploymentId === undefined) return { from, to: null };
  const found = await deployments.find(scope, deploymentId.toLowerCase());
  return { from, to: found?.id ?? fail('deployment_not_found', `There is no deployment ${deploymentId}`) };
}

function kindOf(path: string): 'prompt' | 'component' | 'dataset' | 'config' | 'other' {
  if (path.endsWith('.prompt.mdx')) return 'prompt';
  if (/\.mdx?$/.test(path)) return 'component';
  if (path.endsWith('.jsonl')) return 'dataset';
  return (configNames as readonly string[]).includes(path) ? 'config' : 'other';
}

const clipped = (text: string | null): { text: string; is_cut: boolean } | null =>
  text === null ? null : { text: text.slice(0, shownCharsMax), is_cut: text.length > shownCharsMax };
