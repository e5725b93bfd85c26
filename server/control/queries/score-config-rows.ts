import { and, asc, eq } from 'drizzle-orm';
import type { Scope } from '../../platform/scope.ts';
import { type Actor, signatureOf } from '../actor.ts';
import { assertBelow } from '../limit-reached.ts';
import type { CreatedScoreConfig, ScoreConfigStore } from '../score-config-store.ts';
import { type ControlDatabase, countRows, orDuplicate, type Reads } from './control-database.ts';
import { scoreConfigs } from './schema/reviews.ts';

const ofApp = ({ tenant_id, app_id }: Scope) => and(eq(scoreConfigs.tenant_id, tenant_id), eq(scoreConfigs.app_id, app_id));
const isNamed = (scope: Scope, name: string) => and(ofApp(scope), eq(scoreConfigs.name, name));

const asConfig = ({ name, description, definition, archived }: typeof scoreConfigs.$inferSelect): CreatedScoreConfig => ({
  ...{ name, description, definition, archived },
});

/** For the audit log, by property. */
function inWords({ definition, ...config }: CreatedScoreConfig) {
  if (definition.data_type !== 'categorical') return { ...config, ...definition };
  const categories = definition.categories.map(({ label, value }) => `${label} (${value})`);
  return { ...config, ...definition, categories };
}

export function scoreConfigRows(database: ControlDatabase): ScoreConfigStore {
  const find = async (queries: Reads, scope: Scope, name: string): Promise<CreatedScoreConfig | null> => {
    const row = await queries.select().from(scoreConfigs).where(isNamed(scope, name)).get();
    return row ? asConfig(row) : null;
  };
  return {
    list: async (scope) =>
      (await database.queries.select().from(scoreConfigs).where(ofApp(scope)).orderBy(asc(scoreConfigs.name)).all()).map(asConfig),

    create: (by: Actor, scope, config, max) =>
      database.write({ by, ...scope, action: 'score_config.create', target: config.name }, async (write, created_at) => {
        assertBelow(max, await countRows(write, scoreConfigs, ofApp(scope)));
        const row = { ...config, ...scope, created_by: signatureOf(by), created_at, updated_at: null };
        await orDuplicate('score configuration', config.name, () => write.insert(scoreConfigs).values(row).run());
        return { result: config, after: inWords(config) };
      }),

    replace: (by, scope, config) =>
      database.write({ by, ...scope, action: 'score_config.update', target: config.name }, async (write, updated_at) => {
        const before = await find(write, scope, config.name);
        if (!before) return { result: null, unchanged: true };
        const { description, definition, archived } = config;
        await write.update(scoreConfigs).set({ description, definition, archived, updated_at }).where(isNamed(scope, config.name)).run();
        return { result: config, before: inWords(before), after: inWords(config) };
      }),
  };
}
