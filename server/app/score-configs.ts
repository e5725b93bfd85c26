import type { ScoreConfig } from '../../shared/contract/evaluation/score-configs.ts';
import type { ScoreConfigStore } from '../control/score-config-store.ts';
import type { Scope } from '../platform/scope.ts';
import type { ProjectFiles } from '../project/project-files.ts';
import { mergedScoreConfigs, scoreConfigsOf } from '../project/score-configs.ts';
import { fromProject, nameless } from './project-failure.ts';

export interface ScoreConfigSources {
  project: ProjectFiles | undefined;
  scoreConfigs: ScoreConfigStore | undefined;
}

/** Score configurations of an app, by name: those of its project file, and those that people created. */
export async function scoreConfigsIn({ project, scoreConfigs }: ScoreConfigSources, scope: Scope): Promise<ScoreConfig[]> {
  const config = project ? await fromProject(nameless, () => project.config(scope)) : null;
  return mergedScoreConfigs(scoreConfigsOf(config, scope.app_id), (await scoreConfigs?.list(scope)) ?? [], scope.app_id);
}
