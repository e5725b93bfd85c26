/**
 * What the reader has set, kept in this browser. One file, so that every setting is known here with its fallback.
 * A value that does not fit (an older version's, or somebody's hand) is the fallback; a browser that keeps nothing still works.
 */
import { useCallback, useSyncExternalStore } from 'react';
import { z } from 'zod';
import type { Desktop } from '../../../shared/desktop.ts';

interface Preference<T> {
  key: string;
  shape: z.ZodType<T>;
  fallback: T;
}

const define = <T>(key: string, shape: z.ZodType<T>, fallback: T): Preference<T> => ({ key: `glasshouse.${key}`, shape, fallback });

/** View modes of a trace. */
export const viewModes = ['transcript', 'tree', 'timeline', 'graph'] as const;
export type ViewMode = (typeof viewModes)[number];

export type Theme = 'system' | 'light' | 'dark';

/** How the words of a message are shown. */
export const messageForms = ['markdown', 'plain', 'json'] as const;
export type MessageForm = (typeof messageForms)[number];

const columnChoices = z.array(z.object({ id: z.string(), isHidden: z.boolean(), width: z.number().min(20).max(4000).nullable() })).max(100);

export const preference = {
  theme: define<Theme>('theme', z.enum(['system', 'light', 'dark']), 'system'),
  /** By role: the last choice made for a message of it. */
  messageForms: define<Record<string, MessageForm>>('message-forms', z.record(z.string(), z.enum(messageForms)), {}),
  /** Attribute keys that stand first. */
  pinnedAttributes: define<readonly string[]>('pinned-attributes', z.array(z.string().max(1000)).max(100), []),
  /** How a trace is read first: the run of an agent, and any other. */
  agentView: define<ViewMode>('agent-view', z.enum(viewModes), 'transcript'),
  traceView: define<ViewMode>('trace-view', z.enum(viewModes), 'tree'),
  traceColumns: define('trace-columns', columnChoices, []),
  /** Filters that were asked, the latest first. */
  recentFilters: define<readonly string[]>('recent-filters', z.array(z.string().max(32_768)).max(50), []),
  /** Lists of traces by name: what is behind the `?` of their address, and their columns. */
  savedViews: define(
    'saved-views',
    z.array(z.object({ name: z.string().min(1).max(100), search: z.string(), columns: columnChoices })).max(200),
    [],
  ),
  /** The app looked at last, by its id, where there are several. */
  app: define<string | null>('app', z.string().max(100).nullable(), null),
  /** Whether somebody has signed in here and not out again: the login itself no script can see. */
  hasSignedIn: define<boolean>('has-signed-in', z.boolean(), false),
  facetsShown: define<boolean>('facets-shown', z.boolean(), true),
  indexWidth: define<number | null>('index-width', z.number().min(200).max(4000).nullable(), null),
  /** Bars need more room than rows. */
  timelineWidth: define<number | null>('timeline-width', z.number().min(200).max(4000).nullable(), null),
};

const listeners = new Set<() => void>();
const parsed = new Map<string, { text: string | null; value: unknown }>();

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** The same object for the same stored text, as a store must answer. */
export function readPreference<T>({ key, shape, fallback }: Preference<T>): T {
  const text = stored(key);
  const known = parsed.get(key);
  if (known && known.text === text) return known.value as T;
  let value = fallback;
  try {
    const read = text === null ? { success: false as const } : shape.safeParse(JSON.parse(text));
    if (read.success) value = read.data;
  } catch {
    // Not JSON: the fallback stands.
  }
  parsed.set(key, { text, value });
  return value;
}

export function writePreference<T>({ key }: Preference<T>, value: T): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Private mode or full: the setting holds until the page is left.
  }
  for (const changed of listeners) changed();
}

function watch(changed: () => void) {
  listeners.add(changed);
  window.addEventListener('storage', changed);
  return () => {
    listeners.delete(changed);
    window.removeEventListener('storage', changed);
  };
}

export function usePreference<T>(which: Preference<T>): [T, (value: T) => void] {
  const value = useSyncExternalStore(watch, () => readPreference(which));
  return [value, useCallback((next: T) => writePreference(which, next), [which])];
}

/** Dark and light are equals: without a setting the system decides. */
export function applyTheme(): void {
  let told: Theme | undefined;
  const apply = () => {
    const theme = readPreference(preference.theme);
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    // The frame of the window, menus and the first frame of the next start follow.
    if (theme !== told) desktop?.setTheme(theme).catch(() => {});
    told = theme;
  };
  apply();
  watch(apply);
}

/** The desktop around this page; undefined in a plain browser, where everything works as well. */
export const desktop = (globalThis as { glasshouse?: Desktop }).glasshouse;
