import { DashboardScreen } from '../features/dashboard/dashboard-screen.tsx';
import { FilterBar } from '../features/traces/filter-bar.tsx';

/** Dashboard, filtered by the search line of the list of traces. */
export const DashboardPage = () => <DashboardScreen searchLine={(filter, onFilter) => <FilterBar filter={filter} onFilter={onFilter} />} />;
