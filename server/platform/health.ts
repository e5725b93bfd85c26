/** Dependency of a service. */
export interface Dependency {
  /** Public name. */
  name: string;
  /**
   * Checks whether it is usable. The text is public, so it contains no versions, paths or user data.
   * @returns null when healthy, or the problem of a degraded dependency
   * @throws any error when it is unusable; the error stays internal
   */
  probe(): Promise<string | null>;
}

/** Dependencies of each service of a deployment. */
export interface Health {
  ingestion: readonly Dependency[];
  files: readonly Dependency[];
  gateway: readonly Dependency[];
  /** Id of the gateway, which its leases have. */
  instance: string;
  /** Whether it is shutting down: it should get no more requests. */
  isStopping: boolean;
}
