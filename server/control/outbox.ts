/** Entries that are committed with the change that caused them. An entry MUST stay until its delivery is confirmed by `arrived`. */
export interface Outbox<E extends { position: number }> {
  /** The first entries after a position, in order. */
  pending(after: number, limit: number): Promise<E[]>;
  arrived(position: number): Promise<void>;
}
