/** A model call as spending counts it. Tokens that are not reported are 0. */
export interface SpentCall {
  atMs: number;
  /** US dollars; null where it is not known. */
  cost: number | null;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** US dollars. */
  savings: number;
}
