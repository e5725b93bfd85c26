/** What `npm run dist` tells electron-builder beside its file, and what it says when it cannot go on. */

export const missingBinary = `Only the Electron binary is missing: it could not be fetched, and GLASSHOUSE_ELECTRON_DIST names no folder with one.
Everything before it is built (out/main, out/preload, out/renderer, out/command). Run this again where it can be fetched, or name a folder.`;

/** The options, or why there are none. @param updatesUrl absent and empty are the same: a variable of a workflow that nobody set */
export function builderOptions(electronDist: string | undefined, updatesUrl: string | undefined): string[] | string {
  const options = ['--config', 'electron-builder.yml', '--publish', 'never'];
  if (electronDist !== undefined) options.push(`-c.electronDist=${electronDist}`);
  if (!updatesUrl) return options;
  // Signatures guard what is fetched; the list of versions is guarded by the connection alone.
  if (!URL.canParse(updatesUrl) || new URL(updatesUrl).protocol !== 'https:') return 'GLASSHOUSE_UPDATES_URL must be an https address.';
  return [...options, '-c.publish.provider=generic', `-c.publish.url=${updatesUrl}`];
}
