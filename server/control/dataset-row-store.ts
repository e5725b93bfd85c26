import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';

/** Rows added to a dataset. */
export interface AddedRows {
  dataset: string;
  row_count: number;
  /** Time of the first row. */
  created_at: string;
}

/** Rows added to datasets whose files are in a repository: they follow the rows of the file. */
export interface DatasetRowStore {
  /** The datasets that have any, by name in code-unit order. */
  list(scope: Scope): Promise<AddedRows[]>;
  count(scope: Scope, dataset: string): Promise<number>;
  /** All rows in the order in which they were added, each as a line of JSON with a line break; many lines in each piece. */
  lines(scope: Scope, dataset: string): Promise<Uint8Array[]>;
  /**
   * Adds all or none.
   * @param bytesMax limit for all added rows of the dataset together
   * @returns how many there were before; null when the limit would be exceeded
   */
  append(by: Actor, scope: Scope, dataset: string, lines: readonly string[], bytesMax: number): Promise<number | null>;
}
