/** Deployed project: the files are those of the default environment's snapshot, followed by the rows added to its datasets here. */
import type { Actor } from '../../control/actor.ts';
import type { ControlStore } from '../../control/control-store.ts';
import { nextTurn } from '../../platform/next-turn.ts';
import type { Scope } from '../../platform/scope.ts';
import { datasetPathOf, legalSegments } from '../legal-name.ts';
import { configOf, datasetBytesMax } from '../project-config.ts';
import { ProjectError } from '../project-error.ts';
import type { DatasetFile, ProjectConfig, ProjectFiles, PromptFile } from '../project-files.ts';
import { rowCountOf, type SnapshotIndex } from './snapshot-index.ts';
import type { SnapshotReader } from './snapshot-reader.ts';

const emptyIndex: SnapshotIndex = { prompts: [], datasets: [] };

/** Deployment served by an environment. */
interface CurrentDeployment {
  deployment: string;
  commit_sha: string | null;
}

type Stores = Pick<ControlStore, 'environments' | 'deployments' | 'datasetRows'>;

export class SyncedProject implements ProjectFiles {
  readonly capabilities = { listing: false };
  readonly #stores: Stores;
  readonly #reader: SnapshotReader;

  constructor(stores: Stores, reader: SnapshotReader) {
    this.#stores = stores;
    this.#reader = reader;
  }

  async commit(scope: Scope): Promise<string | null> {
    return (await this.#currentDeployment(scope))?.commit_sha ?? null;
  }

  async config(scope: Scope): Promise<ProjectConfig | null> {
    const current = await this.#currentDeployment(scope);
    const found = current && (await this.#reader.config(scope, current.deployment));
    const config = found && configOf(found.text, found.name);
    return current && config && { commit_sha: current.commit_sha, config };
  }

  async prompts(scope: Scope, name?: string): Promise<PromptFile[]> {
    const current = await this.#currentDeployment(scope);
    const { prompts } = current ? await this.#reader.index(scope, current.deployment) : emptyIndex;
    return prompts
      .filter((prompt) => name === undefined || prompt.name === name)
      .map(({ path, name: promptName }) => ({ path, name: promptName }));
  }

  async text(scope: Scope, path: string): Promise<string | null> {
    const name = legalSegments(path).join('/');
    return this.#file(scope, name);
  }

  async dataset(scope: Scope, path: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const name = legalSegments(path).join('/');
    const text = await this.#file(scope, name);
    const added = await this.#stores.datasetRows.lines(scope, name);
    if (text === null && added.length === 0) return null;
    const pieces = [Buffer.from(text ?? ''), ...added];
    const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
      await nextTurn();
    }
    return bytes;
  }

  async datasets(scope: Scope): Promise<DatasetFile[]> {
    const current = await this.#currentDeployment(scope);
    const { datasets } = current ? await this.#reader.index(scope, current.deployment) : emptyIndex;
    // Files of a snapshot have no times of their own.
    const deployed = current && (await this.#stores.deployments.find(scope, current.deployment));
    const deployedAt = deployed?.created_at ?? new Date(0).toISOString();
    const added = await this.#stores.datasetRows.list(scope);
    const all = new Map(datasets.map((dataset): [string, DatasetFile] => [dataset.name, { ...dataset, created_at: deployedAt }]));
    for (const { dataset: name, row_count, created_at } of added) {
      const known = all.get(name);
      all.set(name, known ? { ...known, row_count: (known.row_count ?? 0) + row_count } : { name, row_count, created_at });
    }
    return [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async append(scope: Scope, name: string, rows: readonly string[], by: Actor): Promise<number> {
    const path = datasetPathOf(name);
    if (rows.length === 0) return 0;
    const text = (await this.#file(scope, path)) ?? '';
    const before = await this.#stores.datasetRows.append(by, scope, path, rows, datasetBytesMax - Buffer.byteLength(text));
    if (before === null) throw new ProjectError('too_large', `A dataset holds at most ${datasetBytesMax} bytes`);
    return rowCountOf(text) + before;
  }

  async #currentDeployment(scope: Scope): Promise<CurrentDeployment | null> {
    const environment = await this.#stores.environments.findDefault(scope);
    if (!environment || environment.latest_deployment_id === null) return null;
    return { deployment: environment.latest_deployment_id, commit_sha: environment.current_commit_sha };
  }

  async #file(scope: Scope, path: string): Promise<string | null> {
    const current = await this.#currentDeployment(scope);
    return current && this.#reader.file(scope, current.deployment, path);
  }
}
