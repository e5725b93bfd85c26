/**
 * The user's preferences, stored in this browser. All are defined in this file with their defaults.
 * An invalid value (of an older version, or edited by hand) is replaced by the default; a browser without storage works too.
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

/** Views of the spans of a trace, which share selection and search. */
export const spanViewModes = ['transcript', 'tree', 'timeline', 'graph'] as const;
export type SpanViewMode = (typeof spanViewModes)[number];

export type Theme = 'system' | 'light' | 'dark';

/** How the text of a message is shown. */
export const messageForms = ['markdown', 'plain', 'json'] as const;
export type MessageForm = (typeof messageForms)[number];

const columnChoices = z.array(z.object({ id: z.string(), isHidden: z.boolean(), width: z.number().min(20).max(4000).nullable() })).max(100);

export const preference = {
  theme: define<Theme>('theme', z.enum(['system', 'light', 'dark']), 'system'),
  /** The last choice for messages of each role. */
  messageForms: define<Record<string, MessageForm>>('message-forms', z.record(z.string(), z.enum(messageForms)), {}),
  /** Attribute keys that are listed first. */
  pinnedAttributes: define<readonly string[]>('pinned-attributes', z.array(z.string().max(1000)).max(100), []),
  /** Initial view mode of a trace: of an agent run, and of any other. */
  agentView: define<SpanViewMode>('agent-view', z.enum(spanViewModes), 'transcript'),
  traceView: define<SpanViewMode>('trace-view', z.enum(spanViewModes), 'tree'),
  traceColumns: define('trace-columns', columnChoices, []),
  /** Recently used filters, the latest first. */
  recentFilters: define<readonly string[]>('recent-filters', z.array(z.string().max(32_768)).max(50), []),
  /** Saved trace lists: name, search string of the URL, and columns. */
  savedViews: define(
    'saved-views',
    z.array(z.object({ name: z.string().min(1).max(100), search: z.string(), columns: columnChoices })).max(200),
    [],
  ),
  /** The charts of the dashboard that are shown, in this order; null for the usual ones. */
  pinnedCharts: define<readonly string[] | null>('pinned-charts', z.array(z.string().max(100)).max(50).nullable(), null),
  /** Id of the app that was selected last. */
  app: define<string | null>('app', z.string().max(100).nullable(), null),
  /** Whether a user is signed in here; scripts cannot see the login itself. */
  hasSignedIn: define<boolean>('has-signed-in', z.boolean(), false),
  /** Whether the sidebar shows only icons. */
  isSidebarFolded: define<boolean>('sidebar-folded', z.boolean(), false),
  /** Whether coding agents on this machine see what a window shows, and may open traces in it. */
  isWindowShared: define<boolean>('window-shared', z.boolean(), false),
  /** Whether the line about the history of coding agents was dismissed. */
  isHistoryDismissed: define<boolean>('history-dismissed', z.boolean(), false),
  facetsShown: define<boolean>('facets-shown', z.boolean(), true),
  indexWidth: define<number | null>('index-width', z.number().min(200).max(4000).nullable(), null),
  /** Separate from `indexWidth`, because bars need more room than rows. */
  timelineWidth: define<number | null>('timeline-width', z.number().min(200).max(4000).nullable(), null),
  /** Context windows in tokens of models that no list has, by model. */
  windowLimits: define<Record<string, number>>('window-limits', z.record(z.string().max(1000), z.number().int().min(1).max(1e9)), {}),
  /** Of the steps of two runs side by side. */
  comparisonWidth: define<number | null>('comparison-width', z.number().min(200).max(4000).nullable(), null),
};

const listeners = new Set<() => void>();
const parsed = new Map<string, { text: string | null; value: unknown }>();

function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Returns the same object for the same stored text, as `useSyncExternalStore` requires. */
export function readPreference<T>({ key, shape, fallback }: Preference<T>): T {
  const text = readStored(key);
  const cached = parsed.get(key);
  if (cached && cached.text === text) return cached.value as T;
  let value = fallback;
  try {
    const read = text === null ? { success: false as const } : shape.safeParse(JSON.parse(text));
    if (read.success) value = read.data;
  } catch {
    // Not JSON: the default is used.
  }
  parsed.set(key, { text, value });
  return value;
}

export function writePreference<T>({ key }: Preference<T>, value: T): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Private mode, or storage is full: the preference lasts until the page is closed.
  }
  for (const onChange of listeners) onChange();
}

function watch(onChange: () => void) {
  listeners.add(onChange);
  window.addEventListener('storage', onChange);
  return () => {
    listeners.delete(onChange);
    window.removeEventListener('storage', onChange);
  };
}

export function usePreference<T>(which: Preference<T>): [T, (value: T) => void] {
  const value = useSyncExternalStore(watch, () => readPreference(which));
  return [value, useCallback((next: T) => writePreference(which, next), [which])];
}

/** Applies the theme. Without a preference the system decides. */
export function applyTheme(): void {
  let applied: Theme | undefined;
  const apply = () => {
    const theme = readPreference(preference.theme);
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    // The window frame, menus and the first frame of the next start follow.
    if (theme !== applied) desktop?.setTheme(theme).catch(() => {});
    applied = theme;
  };
  apply();
  watch(apply);
}

/** The desktop app around this page; undefined in a plain browser. */
export const desktop = (globalThis as { glasshouse?: Desktop }).glasshouse;
