import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';

/** What was added to a dataset here. */
export interface AddedRows {
  dataset: string;
  row_count: number;
  /** Of the first one. */
  created_at: string;
}

/** Rows that were added to datasets whose files live in a repository: they stand behind the rows of the file. */
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
