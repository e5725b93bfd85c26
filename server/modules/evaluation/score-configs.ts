import type { NewScoreConfig, ScoreConfig, ScoreDefinition } from '../../../shared/contract/evaluation/score-configs.ts';
import { fail } from '../../app/fail.ts';
import { Answer, defineModule } from '../../app/module.ts';
import { scoreConfigsIn } from '../../app/score-configs.ts';
import { Duplicate } from '../../control/duplicate.ts';
import { LimitReached } from '../../control/limit-reached.ts';
import { asScoreConfig } from '../../project/score-configs.ts';

/** Of an app; each read has them all. */
const createdMax = 500;

export const scoreConfigsModule = defineModule({
  group: 'scoreConfigs',
  needs: ['project'],
  wants: ['control'],
  build: ({ project, control }) => {
    const sources = { project, scoreConfigs: control?.scoreConfigs };
    return {
      list: async ({ scope }, { query: { limit, offset, include_archived } }) => {
        const found = (await scoreConfigsIn(sources, scope)).filter(({ archived }) => include_archived || !archived);
        return { data: found.slice(offset, offset + limit), pagination: { limit, offset, total: found.length } };
      },

      get: async ({ scope }, { params: { name } }) => ({ data: named(await scoreConfigsIn(sources, scope), name) ?? missing(name) }),
    };
  },
});

export const scoreConfigChangesModule = defineModule({
  group: 'scoreConfigChanges',
  needs: ['control'],
  wants: ['project'],
  build: ({ control: { scoreConfigs }, project }) => {
    const sources = { project, scoreConfigs };
    return {
      create: async ({ scope, principal }, { body }) => {
        const { name, description = null } = body;
        if (named(await scoreConfigsIn(sources, scope), name)?.source === 'project_file')
          fail('duplicate_score_config_name', `The project file defines the score ${JSON.stringify(name)}`);
        const config = { name, description, definition: definitionOf(body), archived: false };
        const created = await translateErrors(() => scoreConfigs.create(principal.actor, scope, config, createdMax));
        return new Answer(201, { data: asScoreConfig(created, scope.app_id) });
      },

      replace: async ({ scope, principal }, { params: { name }, body }) => {
        const { description = null, archived } = body;
        const definition = definitionOf(body);
        if (named(await scoreConfigsIn(sources, scope), name)?.source === 'project_file')
          fail('score_config_in_project_file', `The project file defines the score ${JSON.stringify(name)}. Change it there`);
        const replaced = await scoreConfigs.replace(principal.actor, scope, { name, description, definition, archived });
        return { data: asScoreConfig(replaced ?? missing(name), scope.app_id) };
      },
    };
  },
});

function definitionOf({ data_type, min, max, categories = [] }: Omit<NewScoreConfig, 'name'>): ScoreDefinition {
  if (data_type === 'categorical') return { data_type, categories };
  if (data_type !== 'numeric') return { data_type };
  return { data_type, ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

const named = (configs: readonly ScoreConfig[], name: string) => configs.find((config) => config.name === name);
const missing = (name: string): never => fail('score_config_not_found', `No score configuration ${name}`);

async function translateErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Duplicate) fail('duplicate_score_config_name', error.message);
    if (error instanceof LimitReached) fail('invalid_request_body', `An app has at most ${error.limit} score configurations`);
    throw error;
  }
}
