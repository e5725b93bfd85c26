/** Options that `npm run dist` passes to electron-builder besides its configuration file, and the message for a missing Electron binary. */

export const missingBinary = `Only the Electron binary is missing: it could not be downloaded, and GLASSHOUSE_ELECTRON_DIST is not set to a folder that has one.
Everything else is built (out/main, out/preload, out/renderer, out/command). Run this again where it can be downloaded, or set the variable.`;

/** Signing keys that Azure holds (Trusted Signing). Its credentials are read by electron-builder itself, from AZURE_TENANT_ID and the like. */
const azure = {
  endpoint: 'GLASSHOUSE_AZURE_ENDPOINT',
  codeSigningAccountName: 'GLASSHOUSE_AZURE_ACCOUNT',
  certificateProfileName: 'GLASSHOUSE_AZURE_PROFILE',
  publisherName: 'GLASSHOUSE_AZURE_PUBLISHER',
};

/**
 * @param env in which empty addresses and signing accounts count as absent: an unset variable of a CI workflow is empty
 * @returns the options, or an error message
 */
export function builderOptions(env: Record<string, string | undefined>): string[] | string {
  const { GLASSHOUSE_ELECTRON_DIST: electronDist, GLASSHOUSE_UPDATES_URL: updatesUrl } = env;
  const options = ['--config', 'electron-builder.yml', '--publish', 'never'];
  if (electronDist !== undefined) options.push(`-c.electronDist=${electronDist}`);
  const signing = Object.entries(azure).flatMap(([option, name]) => (env[name] ? `-c.win.azureSignOptions.${option}=${env[name]}` : []));
  if (signing.length > 0 && signing.length < Object.keys(azure).length) return `Set all of ${Object.values(azure).join(', ')}, or none.`;
  options.push(...signing);
  if (!updatesUrl) return options;
  // Downloads are signed; the list of versions is protected only by the connection.
  if (!URL.canParse(updatesUrl) || new URL(updatesUrl).protocol !== 'https:') return 'GLASSHOUSE_UPDATES_URL must be an https URL.';
  return [...options, '-c.publish.provider=generic', `-c.publish.url=${updatesUrl}`];
}
