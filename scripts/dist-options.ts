/** Options that `npm run dist` passes to electron-builder besides its configuration file, and the message for a missing Electron binary. */

export const missingBinary = `Only the Electron binary is missing: it could not be downloaded, and GLASSHOUSE_ELECTRON_DIST is not set to a folder that has one.
Everything else is built (out/main, out/preload, out/renderer, out/command). Run this again where it can be downloaded, or set the variable.`;

/** @returns the options, or an error message. @param updatesUrl empty means absent: an unset variable of a CI workflow is empty */
export function builderOptions(electronDist: string | undefined, updatesUrl: string | undefined): string[] | string {
  const options = ['--config', 'electron-builder.yml', '--publish', 'never'];
  if (electronDist !== undefined) options.push(`-c.electronDist=${electronDist}`);
  if (!updatesUrl) return options;
  // Downloads are signed; the list of versions is protected only by the connection.
  if (!URL.canParse(updatesUrl) || new URL(updatesUrl).protocol !== 'https:') return 'GLASSHOUSE_UPDATES_URL must be an https URL.';
  return [...options, '-c.publish.provider=generic', `-c.publish.url=${updatesUrl}`];
}
