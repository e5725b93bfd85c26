import { DashboardScreen } from '../features/dashboard/dashboard-screen.tsx';
import { FilterBar } from '../features/traces/filter-bar.tsx';
import { readTracesUrl } from '../features/traces/url.ts';

/** Dashboard, filtered by the search line of the list of traces. */
export const DashboardPage = () => (
  <DashboardScreen
    searchLine={({ filter = '', environment, range = '24h', from, to }, onFilter) => (
      <FilterBar
        filter={filter}
        view={readTracesUrl(from === undefined ? { filter, environment, last: range } : { filter, environment, from, to })}
        onFilter={onFilter}
      />
    )}
  />
);
