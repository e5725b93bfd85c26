/** What a format of settings files can do: read values, and change one of them in place. */

/** Keys from the root of a file to one of its values. */
export type SettingPath = readonly [string, ...string[]];

export type SettingValue = string | boolean | { [key: string]: SettingValue };

export interface SettingsFormat {
  /** All values. An empty file has none. @throws SettingsError */
  read(text: string): Record<string, unknown>;
  /** A value as it is written in a file of this format. */
  render(value: unknown): string;
  /** How a value is written in the text; null where there is none. */
  sourceOf(text: string, path: SettingPath): string | null;
  /**
   * The text with another value at a path, and everything else as it was.
   * @param source how the value is written; null removes it
   * @throws SettingsError when it has no place there
   */
  edit(text: string, path: SettingPath, source: string | null): string;
}

/** A text that cannot be read, or that has no place for a setting. The message is what stands in its line, without a full stop. */
export class SettingsError extends Error {
  /** From 1. */
  readonly line: number;
  /** @param at position in the text */
  constructor(text: string, at: number, message: string) {
    super(message);
    this.line = text.slice(0, at).split('\n').length;
  }
}

/** The value at a path; undefined where there is none. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

export const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** The start of the line that a position is in. */
export const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;
