import type { Desktop } from '../../shared/desktop.ts';

/** The desktop around this page; undefined in a plain browser, where everything works as well. */
export const desktop = (globalThis as { glasshouse?: Desktop }).glasshouse;
