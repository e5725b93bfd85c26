import { useSyncExternalStore } from 'react';

/** Same as --breakpoint-split, because media queries cannot read tokens; a test compares the two. */
export const splitPx = 900;

let query: MediaQueryList | undefined;
const media = () => {
  query ??= window.matchMedia(`(width < ${splitPx}px)`);
  return query;
};

const watch = (onChange: () => void) => {
  media().addEventListener('change', onChange);
  return () => media().removeEventListener('change', onChange);
};

/** Whether the window is too narrow for index and detail side by side. */
export const useIsNarrow = () => useSyncExternalStore(watch, () => media().matches);
