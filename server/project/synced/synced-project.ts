/**
 * The project as it was brought here last: the files are those of the snapshot that the app's default environment serves, and the rows that
 * were added to its datasets here stand behind those of the files. A snapshot never changes, so what was read from one is remembered.
 */
import type { Actor } from '../../control/actor.ts';
import type { ControlStore } from '../../control/control-store.ts';
import { nextTurn } from '../../platform/next-turn.ts';
import type { Scope } from '../../platform/scope.ts';
import { datasetPathOf, legalSegments } from '../legal-name.ts';
import { configNames, configOf, datasetBytesMax } from '../project-config.ts';
import type { DatasetFile, ProjectConfig, ProjectFiles, PromptFile } from '../project-files.ts';
import { ProjectTrouble } from '../project-trouble.ts';
import { indexOf, rowCountOf, type SnapshotIndex, templatesOf } from './snapshot-index.ts';

const indexesMax = 100;

/** What an environment serves. */
interface Served {
  deployment: string;
  commit_sha: string | null;
}

type Stores = Pick<ControlStore, 'environments' | 'deployments' | 'snapshots' | 'datasetRows'>;

export class SyncedProject implements ProjectFiles {
  readonly capabilities = { listing: false };
  readonly #stores: Stores;
  readonly #indexes = new Map<string, Promise<SnapshotIndex>>();

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  async commit(scope: Scope): Promise<string | null> {
    return (await this.#served(scope))?.commit_sha ?? null;
  }

  async config(scope: Scope): Promise<ProjectConfig | null> {
    const served = await this.#served(scope);
    const found = served && (await this.#configText(scope, served));
    const config = found && configOf(found.text, found.name);
    return served && config && { commit_sha: served.commit_sha, config };
  }

  async prompts(scope: Scope, name?: string): Promise<PromptFile[]> {
    const { prompts } = await this.#index(scope);
    return name === undefined ? prompts : prompts.filter((prompt) => prompt.name === name);
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
    const [{ datasets }, added] = [await this.#index(scope), await this.#stores.datasetRows.list(scope)];
    const all = new Map(datasets.map((dataset) => [dataset.name, dataset]));
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
    if (before === null) throw new ProjectTrouble('too_large', `A dataset holds at most ${datasetBytesMax} bytes`);
    return rowCountOf(text) + before;
  }

  async #served(scope: Scope): Promise<Served | null> {
    const environment = await this.#stores.environments.findDefault(scope);
    if (!environment || environment.latest_deployment_id === null) return null;
    return { deployment: environment.latest_deployment_id, commit_sha: environment.current_commit_sha };
  }

  async #configText(scope: Scope, { deployment }: Served): Promise<{ name: string; text: string } | null> {
    for (const name of configNames) {
      const text = await this.#stores.snapshots.text(scope, deployment, name);
      if (text !== null) return { name, text: withoutMark(text) };
    }
    return null;
  }

  /** A file under the templates, without a byte order mark, and with a line break at the end of a dataset. */
  async #file(scope: Scope, path: string): Promise<string | null> {
    const served = await this.#served(scope);
    const folder = served && templatesOf((await this.#configText(scope, served))?.text ?? null);
    const found = served && (await this.#stores.snapshots.text(scope, served.deployment, `${folder}/${path}`));
    const text = found && withoutMark(found);
    return path.endsWith('.jsonl') && text && !text.endsWith('\n') ? `${text}\n` : text;
  }

  async #index(scope: Scope): Promise<SnapshotIndex> {
    const served = await this.#served(scope);
    if (!served) return { prompts: [], datasets: [] };
    const known = this.#indexes.get(served.deployment);
    if (known) return known;
    if (this.#indexes.size >= indexesMax) this.#indexes.clear();
    const reading = this.#read(scope, served);
    this.#indexes.set(served.deployment, reading);
    // What could not be read is not remembered.
    reading.catch(() => this.#indexes.delete(served.deployment));
    return reading;
  }

  async #read(scope: Scope, served: Served): Promise<SnapshotIndex> {
    const { deployments, snapshots } = this.#stores;
    const files = (await snapshots.files(scope, served.deployment)) ?? [];
    const deployment = await deployments.find(scope, served.deployment);
    return indexOf(
      files,
      templatesOf((await this.#configText(scope, served))?.text ?? null),
      deployment?.created_at ?? new Date(0).toISOString(),
    );
  }
}

const withoutMark = (text: string): string => text.replace(/^\ufeff/, '');
