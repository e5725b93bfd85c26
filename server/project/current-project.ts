import type { Actor } from '../control/actor.ts';
import type { Scope } from '../platform/scope.ts';
import type { DatasetFile, ProjectConfig, ProjectFiles, PromptFile } from './project-files.ts';

/** The project that is open now. Another may take its place between two calls; a call that began keeps the one it began with. */
export class CurrentProject implements ProjectFiles {
  #project: ProjectFiles;

  constructor(project: ProjectFiles) {
    this.#project = project;
  }

  become(project: ProjectFiles): void {
    this.#project = project;
  }

  get capabilities(): ProjectFiles['capabilities'] {
    return this.#project.capabilities;
  }

  commit(scope: Scope): Promise<string | null> {
    return this.#project.commit(scope);
  }

  config(scope: Scope): Promise<ProjectConfig | null> {
    return this.#project.config(scope);
  }

  prompts(scope: Scope, name?: string): Promise<PromptFile[]> {
    return this.#project.prompts(scope, name);
  }

  text(scope: Scope, path: string): Promise<string | null> {
    return this.#project.text(scope, path);
  }

  dataset(scope: Scope, path: string): Promise<Uint8Array<ArrayBuffer> | null> {
    return this.#project.dataset(scope, path);
  }

  datasets(scope: Scope): Promise<DatasetFile[]> {
    return this.#project.datasets(scope);
  }

  append(scope: Scope, name: string, rows: readonly string[], by: Actor): Promise<number> {
    return this.#project.append(scope, name, rows, by);
  }
}
