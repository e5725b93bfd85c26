/** The repositories that coding agents may use: below one folder of the deployment, those of a team in a folder named by its tenant id. */
import { access, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Scope } from '../../platform/scope.ts';

export class Repositories {
  readonly #root: string | null;

  /** @param root null for no repositories */
  constructor(root: string | null) {
    this.#root = root;
  }

  /**
   * The git folder of a repository; null when the tenant has none of that name. Links that lead out of the tenant's folder are ignored.
   * @param name full name, validated by the contract
   */
  async find({ tenant_id }: Scope, name: string): Promise<string | null> {
    if (this.#root === null) return null;
    const home = await realpath(join(this.#root, tenant_id)).catch(() => null);
    if (home === null) return null;
    for (const candidate of [join(home, name, '.git'), join(home, name), join(home, `${name}.git`)]) {
      const folder = await realpath(candidate).catch(() => null);
      if (folder?.startsWith(home + sep) && (await isGitFolder(folder))) return folder;
    }
    return null;
  }
}

const isGitFolder = async (folder: string): Promise<boolean> => {
  const parts = await Promise.all(
    ['HEAD', 'objects', 'refs'].map((part) =>
      access(join(folder, part)).then(
        () => true,
        () => false,
      ),
    ),
  );
  // With reftable, branches are not where the gateway's git looks for them.
  const hasReftable = await access(join(folder, 'reftable')).then(
    () => true,
    () => false,
  );
  return parts.every(Boolean) && !hasReftable;
};
