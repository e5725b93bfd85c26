/**
 * Store of the secrets of this machine: the keys of destinations, and the key of the redaction tokens. Secrets are never in SQLite, settings,
 * logs or responses. See docs/reference/forwarding.md#secrets.
 */
export interface SecretStore {
  /** False when secrets are lost when the gateway stops. Known after the first read or write. */
  readonly isDurable: boolean;
  /** Null for an unknown name. @throws SecretStoreError when the store is unavailable */
  read(name: string): Promise<string | null>;
  /** Stores the secret durably in place of an earlier one. @throws SecretStoreError on failure; the earlier secret stays */
  write(name: string, secret: string): Promise<void>;
  /** Resolves also for an unknown name. @throws SecretStoreError on failure */
  remove(name: string): Promise<void>;
}

/** Reason why secrets cannot be read or stored, as a message for the user. Contains no secret. */
export class SecretStoreError extends Error {}

/** Name of a destination's key in the secret store. */
export const destinationKeyOf = (destination: string): string => `destination-key:${destination}`;
