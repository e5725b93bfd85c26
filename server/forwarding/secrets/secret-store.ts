/**
 * Where secrets of this machine are kept: the keys of destinations, and the key of the redaction tokens. Never in SQLite, in settings, in
 * a log or in an answer. See docs/reference/forwarding.md#secrets.
 */
export interface SecretStore {
  /** False when secrets are lost at the end of the gateway; known after the first read or write. */
  readonly isDurable: boolean;
  /** Null for an unknown name. @throws SecretStoreError when the store is unavailable */
  read(name: string): Promise<string | null>;
  /** Stores the secret durably in place of an earlier one. @throws SecretStoreError on failure; the earlier secret stays */
  write(name: string, secret: string): Promise<void>;
  /** Also where there was none. @throws SecretStoreError when it cannot be taken away */
  remove(name: string): Promise<void>;
}

/** Reason why secrets cannot be read or stored, as a message for the user. Contains no secret. */
export class SecretStoreError extends Error {}

/** Name of a destination's key in the secret store. */
export const destinationKeyOf = (destination: string): string => `destination-key:${destination}`;
