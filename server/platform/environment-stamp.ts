/**
 * Which environment a write belongs to, and which version was served there then. It comes from the credential
 * (docs/reference/access.md#environment-of-a-write).
 */
export interface EnvironmentStamp {
  /** Empty: none. */
  name: string;
  /** Null while nothing is pinned there. */
  version: number | null;
}
