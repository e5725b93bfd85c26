import type { Page } from '../../platform/page.ts';
import type { Scope } from '../../platform/scope.ts';
import type { PromptLibrary, PromptSet, PromptSetQuery, PromptVersion } from '../prompt-library.ts';
import type { DiskProject } from './disk-project.ts';

/** The prompts of a folder in their current state. It has no environments and no deployments. */
export class DiskPrompts implements PromptLibrary {
  readonly #project: DiskProject;

  constructor(project: DiskProject) {
    this.#project = project;
  }

  async promptSet(scope: Scope, { environment, deployment_id }: PromptSetQuery): Promise<PromptSet | 'environment' | 'deployment'> {
    if (environment !== undefined) return 'environment';
    if (deployment_id !== undefined) return 'deployment';
    const project = this.#project;
    const commit_sha = await project.commit(scope);
    return {
      source: { kind: 'folder', commit_sha },
      commit_sha,
      prompts: async () => (await project.listPrompts()).map((prompt) => ({ ...prompt, changed_by: null })),
      text: (path) => project.text(scope, path),
    };
  }

  async versions(_scope: Scope, environment: string | undefined): Promise<Page<PromptVersion> | null> {
    return environment === undefined ? { data: [], total: 0 } : null;
  }
}
