import type { SnapshotStore } from '../../control/snapshot-store.ts';
import type { Scope } from '../../platform/scope.ts';
import { configNames } from '../project-config.ts';
import { indexOf, type SnapshotIndex, templatesOf } from './snapshot-index.ts';

const indexesMax = 100;

/** Project in a snapshot. Snapshots never change, so results are cached. */
export class SnapshotReader {
  readonly #snapshots: SnapshotStore;
  readonly #indexes = new Map<string, Promise<SnapshotIndex>>();

  constructor(snapshots: SnapshotStore) {
    this.#snapshots = snapshots;
  }

  async config(scope: Scope, deploymentId: string): Promise<{ name: string; text: string } | null> {
    for (const name of configNames) {
      const text = await this.#snapshots.text(scope, deploymentId, name);
      if (text !== null) return { name, text: withoutMark(text) };
    }
    return null;
  }

  /** The folder of the templates. */
  async folder(scope: Scope, deploymentId: string): Promise<string> {
    return templatesOf((await this.config(scope, deploymentId))?.text ?? null);
  }

  /** A file under the templates, without a byte order mark, and with a line break at the end of a dataset. */
  async file(scope: Scope, deploymentId: string, path: string): Promise<string | null> {
    const found = await this.#snapshots.text(scope, deploymentId, `${await this.folder(scope, deploymentId)}/${path}`);
    const text = found && withoutMark(found);
    return path.endsWith('.jsonl') && text && !text.endsWith('\n') ? `${text}\n` : text;
  }

  /** @param deploymentId deployment known to belong to the scope, because the cache is not checked by scope */
  index(scope: Scope, deploymentId: string): Promise<SnapshotIndex> {
    const known = this.#indexes.get(deploymentId);
    if (known) return known;
    if (this.#indexes.size >= indexesMax) this.#indexes.clear();
    const reading = this.#read(scope, deploymentId);
    this.#indexes.set(deploymentId, reading);
    // Failures are not cached.
    reading.catch(() => this.#indexes.delete(deploymentId));
    return reading;
  }

  async #read(scope: Scope, deploymentId: string): Promise<SnapshotIndex> {
    const files = (await this.#snapshots.files(scope, deploymentId)) ?? [];
    return indexOf(files, await this.folder(scope, deploymentId));
  }
}

const withoutMark = (text: string): string => text.replace(/^\ufeff/, '');
