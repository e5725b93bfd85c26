/** What connecting an agent changes in the text of its settings, and how that is undone. Pure: reads and writes no file. */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type SettingPath, SettingsError, type SettingsFormat, type SettingValue, valueAt } from './settings-format.ts';

export interface Setting {
  path: SettingPath;
  /** Null for a setting that must be absent, because it would take precedence. */
  value: SettingValue | null;
}

const settingPath = z.tuple([z.string()], z.string()).readonly();
const settingValue: z.ZodType<SettingValue> = z.lazy(() => z.union([z.string(), z.boolean(), z.record(z.string(), settingValue)]));

/** What was changed in a file, so that it can be undone. */
export const rememberedChange = z.object({
  settings: z.array(
    z.object({
      path: settingPath,
      value: settingValue.nullable(),
      /** How the value before was written; null where there was none. */
      previous: z.string().nullable(),
    }),
  ),
  /** Objects and tables that did not exist before. */
  created: z.array(settingPath),
  /** Gives back the exact text of before, as long as nothing else changed the file. */
  exact: z.object({
    /** Of the changed text, as hexadecimal. */
    sha256: z.string(),
    /** The part of the changed text that takes the place of `text`. */
    start: z.int(),
    length: z.int(),
    text: z.string(),
    /** There was no file. */
    isNew: z.boolean(),
  }),
});
export type RememberedChange = z.output<typeof rememberedChange>;

export interface Replaced {
  path: SettingPath;
  /** How the user's value is written. */
  source: string;
  value: SettingValue | null;
}

export interface Connecting {
  text: string;
  change: RememberedChange;
  /** Values that the user had set to something else. */
  replaced: Replaced[];
}

export const isConnected = (format: SettingsFormat, text: string, settings: readonly Setting[]): boolean => {
  const root = format.read(text);
  return settings.every((setting) => isSet(root, setting));
};

const isSet = (root: unknown, { path, value }: Setting): boolean => isSame(valueAt(root, path), value ?? undefined);

/** Tables of TOML have no prototype, and their copies have. */
const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(structuredClone(a), structuredClone(b));

/** @param before null when there is no file @throws SettingsError */
export function connecting(format: SettingsFormat, before: string | null, settings: readonly Setting[]): Connecting {
  const base = before ?? '';
  const root = format.read(base);
  const changed = settings.filter((setting) => !isSet(root, setting));
  const written = changed.map(({ path, value }) => ({ path, value, previous: format.sourceOf(base, path) }));
  const sourceOf = (value: SettingValue | null) => (value === null ? null : format.render(value));
  const text = written.reduce((result, { path, value }) => format.edit(result, path, sourceOf(value)), base);
  requireOnly(format, base, text, written);
  return {
    text,
    change: { settings: written, created: newParents(root, written), exact: exactUndo(before, text) },
    replaced: written.flatMap(({ path, value, previous }) => (previous === null ? [] : [{ path, value, source: previous }])),
  };
}

export interface Disconnecting {
  /** Null when the file is to be removed. */
  text: string | null;
  /** Settings that the user changed since, which stay. */
  kept: SettingPath[];
}

/** @throws SettingsError */
export function disconnecting(format: SettingsFormat, text: string, { settings, created, exact }: RememberedChange): Disconnecting {
  if (digest(text) === exact.sha256) {
    if (exact.isNew) return { text: null, kept: [] };
    return { text: text.slice(0, exact.start) + exact.text + text.slice(exact.start + exact.length), kept: [] };
  }
  const root = format.read(text);
  const ours = settings.filter((setting) => isSet(root, setting));
  const restored = ours.reduceRight((result, { path, previous }) => format.edit(result, path, previous), text);
  const cleared = created.reduceRight(
    (result, path) => (isEmpty(format, result, path) ? format.edit(result, path, null) : result),
    restored,
  );
  const kept = settings.filter((setting) => !ours.includes(setting) && valueAt(root, setting.path) !== undefined);
  return { text: cleared, kept: kept.map(({ path }) => path) };
}

function isEmpty(format: SettingsFormat, text: string, path: SettingPath): boolean {
  const value = valueAt(format.read(text), path);
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** The objects on the way to values that do not exist yet, outer ones first. */
function newParents(root: unknown, settings: readonly Setting[]): SettingPath[] {
  const parents = settings
    .filter(({ value }) => value !== null)
    .flatMap(({ path }) => path.slice(0, -1).map((_, at) => path.slice(0, at + 1) as unknown as SettingPath));
  const missing = parents.filter((path) => valueAt(root, path) === undefined);
  return [...new Map(missing.map((path) => [JSON.stringify(path), path])).values()];
}

/** An edit that changed anything else must not be written. */
function requireOnly(format: SettingsFormat, before: string, after: string, settings: readonly Setting[]): void {
  const expected = structuredClone(format.read(before));
  for (const { path, value } of settings) setAt(expected, path, value);
  if (!isSame(format.read(after), expected))
    throw new SettingsError(before, 0, 'written in a way that cannot be changed safely; add the settings by hand');
}

function setAt(root: Record<string, unknown>, path: SettingPath, value: SettingValue | null): void {
  let parent = root;
  for (const key of path.slice(0, -1)) {
    if (!Object.hasOwn(parent, key)) {
      if (value === null) return;
      parent[key] = {};
    }
    parent = parent[key] as Record<string, unknown>;
  }
  const last = path.at(-1) as string;
  if (value === null) delete parent[last];
  else parent[last] = value;
}

function exactUndo(before: string | null, after: string): RememberedChange['exact'] {
  const base = before ?? '';
  const shared = Math.min(base.length, after.length);
  let start = 0;
  while (start < shared && base[start] === after[start]) start++;
  let tail = 0;
  while (tail < shared - start && base.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const text = base.slice(start, base.length - tail);
  return { sha256: digest(after), start, length: after.length - tail - start, text, isNew: before === null };
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
