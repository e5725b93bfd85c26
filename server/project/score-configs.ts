import { type ScoreConfig, scoreCategory } from '../../shared/contract/evaluation/score-configs.ts';
import type { ProjectConfig } from './project-files.ts';

/** Score configurations of the project, by name. Invalid entries and categories are skipped. */
export function scoreConfigsOf(project: ProjectConfig | null, app_id: string): ScoreConfig[] {
  const declared = project?.config['scores'];
  if (typeof declared !== 'object' || declared === null || Array.isArray(declared)) return [];
  const commit_sha = project?.commit_sha ?? '';
  return Object.entries(declared)
    .flatMap(([name, entry]) => scoreConfigOf(entry, { id: `${app_id}:${name}`, name, commit_sha }) ?? [])
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function scoreConfigOf(entry: unknown, base: Pick<ScoreConfig, 'id' | 'name' | 'commit_sha'>): ScoreConfig | null {
  if (typeof entry !== 'object' || entry === null) return null;
  const { type, description, min, max, categories } = entry as Record<string, unknown>;
  const common = typeof description === 'string' ? { ...base, description } : base;
  const bound = (key: 'min' | 'max', value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? { [key]: value } : {});
  if (type === 'boolean') return { ...common, data_type: type };
  if (type === 'numeric') return { ...common, data_type: type, ...bound('min', min), ...bound('max', max) };
  if (type !== 'categorical' || !Array.isArray(categories)) return null;
  const valid = categories.flatMap((category) => scoreCategory.safeParse(category).data ?? []);
  return valid.length === 0 ? null : { ...common, data_type: type, categories: valid };
}
