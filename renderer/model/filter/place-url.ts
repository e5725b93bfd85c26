/** URLs of the current page in another environment or app. */
import { formatSearch, type Search } from './search-string.ts';

/** Parameters that name something of one environment: a trace in the side panel, compared deployments. */
const ofEnvironment = ['peek', 'version', 'base'];
/** Parameters that mean the same in every app. */
const ofAnyApp = ['filter', 'show', 'status', 'last', 'from', 'to', 'range', 'by', 'sort_by', 'sort_order'];

/** URL of the same page in another environment, or of the list when the page shows a trace of this one. */
export function inEnvironment(path: string, search: Search, environment: string | undefined): string {
  const kept = path.startsWith('/traces/') ? { app: search['app'] } : search;
  const others = Object.entries(kept).filter(([key]) => !ofEnvironment.includes(key));
  return `${listOf(path, ['traces'])}${formatSearch({ ...Object.fromEntries(others), environment })}`;
}

/** URL of the same page in another app, or of the list when the page shows one item. The app is added when the page starts. */
export function inOtherApp(path: string, search: Search): string {
  const kept = Object.entries(search).filter(([key]) => ofAnyApp.includes(key));
  return `${listOf(path)}${formatSearch(Object.fromEntries(kept))}`;
}

/** Path without the ids of an item. @param kinds whose items have lists; all if absent */
function listOf(path: string, kinds?: readonly string[]): string {
  const [, kind = '', page] = path.split('/');
  if (kinds && !kinds.includes(kind)) return path;
  return kind === 'settings' && page !== undefined ? `/settings/${page}` : `/${kind}`;
}
