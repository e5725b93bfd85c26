/**
 * Place of a page: its app and environment. Both are in the URL of every page, so that a copied link opens the same for another person. Without
 * sign-in there are no apps to choose from, and the URL has neither.
 */
import { createHashHistory, useLocation } from '@tanstack/react-router';
import { currentIdentity } from '../api/identity.ts';
import { inEnvironment, inOtherApp } from '../model/filter/place-url.ts';
import { parseSearch, type Search } from '../model/filter/search-string.ts';

/** Any server can serve the page as one file, because the path after # selects the screen. */
export const history = createHashHistory();

type AnySearch = Record<string, unknown>;
/** `collect`: also returns the search parameters that the navigation itself gave, if any. */
type Next = (search: AnySearch, collect: true) => { search: AnySearch; meta: { explicit?: object } };
interface Middleware {
  search: AnySearch;
  next: (search: AnySearch) => AnySearch;
}

/** The environment that the page is in; undefined for all. */
export const useEnvironment = (): string | undefined =>
  useLocation({
    select: ({ search }: { search: AnySearch }) => (typeof search['environment'] === 'string' ? search['environment'] : undefined),
  });

/** The app that the URL names. */
export const useAppInUrl = (): unknown => useLocation({ select: ({ search }: { search: AnySearch }) => search['app'] });

const searchHere = (): Search => parseSearch(history.location.search);

/** Adds app and environment to the URL of every page. */
export function keepPlace({ search, next }: Middleware): AnySearch {
  const result = next(search);
  const identity = currentIdentity();
  if (identity.phase !== 'signed-in' || identity.appId === null) return result;
  const { environment = searchHere()['environment'] } = result;
  return { ...result, app: identity.appId, environment };
}

/** For a page that selects the environment itself: when it changes its own parameters, an absent environment is all environments. */
export const choosesEnvironment =
  (path: string) =>
  ({ search, next }: Middleware): AnySearch => {
    const { search: result, meta } = (next as unknown as Next)(search, true);
    const isOwnChange = meta.explicit !== undefined && history.location.pathname === path;
    return isOwnChange && result['environment'] === undefined ? { ...result, environment: null } : result;
  };

export const switchEnvironment = (environment: string | undefined): void =>
  history.push(inEnvironment(history.location.pathname, searchHere(), environment));

/** For `enterApp`. */
export const hashInOtherApp = (): string => `#${inOtherApp(history.location.pathname, searchHere())}`;
