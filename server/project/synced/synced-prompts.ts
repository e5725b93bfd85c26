import type { ControlStore } from '../../control/control-store.ts';
import type { Deployment } from '../../control/deployment-store.ts';
import type { Environment } from '../../control/environment-store.ts';
import type { Page, PageQuery } from '../../platform/page.ts';
import type { Scope } from '../../platform/scope.ts';
import { legalSegments } from '../legal-name.ts';
import type { ListedPrompt, PromptLibrary, PromptSet, PromptSetQuery, PromptVersion } from '../prompt-library.ts';
import type { SnapshotReader } from './snapshot-reader.ts';

type Stores = Pick<ControlStore, 'environments' | 'deployments' | 'snapshots'>;

/** Prompts of the deployments to the environments of an app. */
export class SyncedPrompts implements PromptLibrary {
  readonly #stores: Stores;
  readonly #reader: SnapshotReader;

  constructor(stores: Stores, reader: SnapshotReader) {
    this.#stores = stores;
    this.#reader = reader;
  }

  async promptSet(scope: Scope, { environment: name, deployment_id }: PromptSetQuery): Promise<PromptSet | 'environment' | 'deployment'> {
    const environment = await this.#environment(scope, name);
    if (!environment) return 'environment';
    const deployment = await this.#stores.deployments.find(scope, deployment_id ?? environment.latest_deployment_id ?? '');
    if (deployment_id !== undefined && deployment === null) return 'deployment';
    const { id, name: environmentName, is_default } = environment;
    return {
      source: { kind: 'environment', id, name: environmentName, is_default, deployment },
      commit_sha: deployment?.commit_sha ?? null,
      prompts: async () => (deployment ? this.#listed(scope, environment, deployment) : []),
      text: async (path) => {
        const file = legalSegments(path).join('/');
        return deployment ? this.#reader.file(scope, deployment.id, file) : null;
      },
    };
  }

  async versions(scope: Scope, name: string | undefined, path: string, query: PageQuery): Promise<Page<PromptVersion> | null> {
    const environment = await this.#environment(scope, name);
    if (!environment) return null;
    const deploymentId = environment.latest_deployment_id;
    if (deploymentId === null) return { data: [], total: 0 };
    const file = `${await this.#reader.folder(scope, deploymentId)}/${legalSegments(path).join('/')}`;
    return this.#stores.snapshots.history(scope, environment.id, file, query);
  }

  async #listed(scope: Scope, environment: Environment, deployment: Deployment): Promise<ListedPrompt[]> {
    const folder = await this.#reader.folder(scope, deployment.id);
    const changes = await this.#stores.snapshots.latestChanges(scope, environment.id);
    const changedBy = new Map(changes.map((change) => [change.path, change.deployment]));
    const { prompts } = await this.#reader.index(scope, deployment.id);
    return prompts.map((prompt) => {
      const changed_by = changedBy.get(`${folder}/${prompt.path}`) ?? null;
      return { ...prompt, changed_by, changed_at: changed_by?.created_at ?? null };
    });
  }

  #environment(scope: Scope, name: string | undefined): Promise<Environment | null> {
    const { environments } = this.#stores;
    return name === undefined ? environments.findDefault(scope) : environments.findNamed(scope, name);
  }
}
