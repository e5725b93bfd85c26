export const entries: readonly string[];
/** Time of the last change in milliseconds, and size in bytes. */
export type FileState = readonly [changedMs: number, size: number];
export function cacheOf(root: string): string;
export function manifestOf(root: string): string;
export function stateOf(file: string): FileState;
export function currentBundle(root: string): string | null;
export function bundleFolder(folder: string): string | null;
export function markUse(folder: string): void;
