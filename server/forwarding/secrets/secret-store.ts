/**
 * Where secrets of this machine are kept: the keys of destinations, and the key of the redaction tokens. Never in SQLite, in settings, in
 * a log or in an answer. See docs/reference/forwarding.md#secrets.
 */
export interface SecretStore {
  /** False where what is written is forgotten when the gateway ends; certain once something was read or written. */
  readonly isDurable: boolean;
  /** Null when there is none of that name. @throws SecretStoreError when nobody can tell */
  read(name: string): Promise<string | null>;
  /** Kept when it resolves, in place of an earlier one. @throws SecretStoreError when it cannot be kept; what was there stands then */
  write(name: string, secret: string): Promise<void>;
  /** Also where there was none. @throws SecretStoreError when it cannot be taken away */
  remove(name: string): Promise<void>;
}

/** Why secrets can not be read or kept, in words for the person whose they are. Says no secret. */
export class SecretStoreError extends Error {}

/** What a destination's key is kept as. */
export const destinationKeyOf = (destination: string): string => `destination-key:${destination}`;
