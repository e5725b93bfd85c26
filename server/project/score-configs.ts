import { categoryColor, type ScoreConfig, scoreCategory } from '../../shared/contract/evaluation/score-configs.ts';
import type { CreatedScoreConfig } from '../control/score-config-store.ts';
import type { ProjectConfig } from './project-files.ts';

type Common = Omit<Extract<ScoreConfig, { data_type: 'boolean' }>, 'data_type'>;

/** An invalid colour does not make a category invalid. */
const declaredCategory = scoreCategory.extend({ color: categoryColor.optional().catch(undefined) });

/** Score configurations of the project, by name. Invalid entries and categories are skipped. */
export function scoreConfigsOf(project: ProjectConfig | null, app_id: string): ScoreConfig[] {
  const declared = project?.config['scores'];
  if (typeof declared !== 'object' || declared === null || Array.isArray(declared)) return [];
  const common = { commit_sha: project?.commit_sha ?? '', source: 'project_file', archived: false } as const;
  return Object.entries(declared)
    .flatMap(([name, entry]) => scoreConfigOf(entry, { ...common, id: `${app_id}:${name}`, name }) ?? [])
    .sort(byName);
}

/** One list of those of the project and those that people created. Of two with the same name that of the project counts. */
export function mergedScoreConfigs(
  ofProject: readonly ScoreConfig[],
  created: readonly CreatedScoreConfig[],
  app_id: string,
): ScoreConfig[] {
  const createdNames = new Set(created.map(({ name }) => name));
  const projectNames = new Set(ofProject.map(({ name }) => name));
  return [
    ...ofProject.map((config) => (createdNames.has(config.name) ? { ...config, hides_created: true as const } : config)),
    ...created.filter(({ name }) => !projectNames.has(name)).map((config) => asScoreConfig(config, app_id)),
  ].sort(byName);
}

export const asScoreConfig = ({ name, description, definition, archived }: CreatedScoreConfig, app_id: string): ScoreConfig => ({
  ...{ id: `${app_id}:${name}`, name, commit_sha: '', ...(description ? { description } : {}), source: 'created', archived },
  ...definition,
});

const byName = (a: ScoreConfig, b: ScoreConfig) => (a.name < b.name ? -1 : 1);

function scoreConfigOf(entry: unknown, base: Common): ScoreConfig | null {
  if (typeof entry !== 'object' || entry === null) return null;
  const { type, description, min, max, categories } = entry as Record<string, unknown>;
  const common = typeof description === 'string' ? { ...base, description } : base;
  const bound = (key: 'min' | 'max', value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? { [key]: value } : {});
  if (type === 'boolean' || type === 'text') return { ...common, data_type: type };
  if (type === 'numeric') return { ...common, data_type: type, ...bound('min', min), ...bound('max', max) };
  if (type !== 'categorical' || !Array.isArray(categories)) return null;
  const valid = categories.flatMap((category) => declaredCategory.safeParse(category).data ?? []);
  return valid.length === 0 ? null : { ...common, data_type: type, categories: valid };
}
