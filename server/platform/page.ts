/** Range of a list. */
export interface PageQuery {
  limit: number;
  offset: number;
}

/** @typeParam Rows type of the rows, a list by default */
export interface Page<T, Rows = T[]> {
  data: Rows;
  /** Number of all matches, on all pages. */
  total: number;
  /** There may be more than `total`. */
  totalIsLowerBound?: true;
}
