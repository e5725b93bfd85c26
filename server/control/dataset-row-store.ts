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
  /** Each row as its line of JSON with a line break behind it, in the order in which they were added; many lines in each piece. */
  lines(scope: Scope, dataset: string): Promise<Uint8Array[]>;
  /**
   * Adds all or none.
   * @param bytesMax that the rows of the dataset may have together
   * @returns how many there were before; null when they would be too many
   */
  append(by: Actor, scope: Scope, dataset: string, lines: readonly string[], bytesMax: number): Promise<number | null>;
}
