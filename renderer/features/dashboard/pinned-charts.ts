import { preference, usePreference } from '../../ui/primitives/preferences.ts';
import { type ChartId, chartIds, usualCharts } from './chart-data.ts';

/** Charts of another version are left out, and each is shown once. */
export const knownCharts = (ids: readonly string[] | null): readonly ChartId[] =>
  ids === null ? usualCharts : [...new Set(ids)].filter((id): id is ChartId => (chartIds as readonly string[]).includes(id));

/** With one chart moved by a place. */
export function moved<T>(items: readonly T[], at: number, by: -1 | 1): readonly T[] {
  const others = items.toSpliced(at, 1);
  return others.toSpliced(at + by, 0, ...items.slice(at, at + 1));
}

/** The charts that this browser shows, in their order. */
export function usePinnedCharts(): [readonly ChartId[], (pinned: readonly ChartId[]) => void] {
  const [ids, setIds] = usePreference(preference.pinnedCharts);
  return [knownCharts(ids), setIds];
}
