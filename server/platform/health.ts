/** One thing that a service stands on. */
export interface Dependency {
  /** What the public calls it. */
  name: string;
  /**
   * Looks whether it can be used now; what it answers says nothing of versions, paths or anybody's data, because anybody may read it.
   * @returns null when all is well, or what is wrong with it though it still serves
   * @throws anything when it cannot be used; that goes no further
   */
  probe(): Promise<string | null>;
}

/** What each service of a deployment stands on. */
export interface Health {
  ingestion: readonly Dependency[];
  files: readonly Dependency[];
}
