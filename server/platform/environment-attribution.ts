/**
 * The environment of a write and the version deployed there at the time, decided by the credential
 * (docs/reference/access.md#environment-of-a-write).
 */
export interface EnvironmentAttribution {
  /** Empty for no environment. */
  name: string;
  /** Null while no version is deployed. */
  version: number | null;
}
