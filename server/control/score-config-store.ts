import type { ScoreConfig, ScoreDefinition } from '../../shared/contract/evaluation/score-configs.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';

export interface CreatedScoreConfig {
  name: ScoreConfig['name'];
  description: string | null;
  definition: ScoreDefinition;
  archived: boolean;
}

/** Score configurations that people of an app created, besides those of its project file. */
export interface ScoreConfigStore {
  /** By name, archived ones too. */
  list(scope: Scope): Promise<CreatedScoreConfig[]>;
  /**
   * @param max number of configurations that an app may have
   * @throws Duplicate when the app has one of that name, archived or not
   * @throws LimitReached
   */
  create(by: Actor, scope: Scope, config: CreatedScoreConfig, max: number): Promise<CreatedScoreConfig>;
  /** Null for an unknown name. */
  replace(by: Actor, scope: Scope, config: CreatedScoreConfig): Promise<CreatedScoreConfig | null>;
}
