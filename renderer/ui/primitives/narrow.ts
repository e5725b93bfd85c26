import { useSyncExternalStore } from 'react';

/** Media queries cannot read tokens: this is --breakpoint-split, and a test compares the two. */
export const splitPx = 900;

let query: MediaQueryList | undefined;
const media = () => {
  query ??= window.matchMedia(`(width < ${splitPx}px)`);
  return query;
};

const watch = (changed: () => void) => {
  media().addEventListener('change', changed);
  return () => media().removeEventListener('change', changed);
};

/** Whether index and detail no longer fit side by side. */
export const useIsNarrow = () => useSyncExternalStore(watch, () => media().matches);
