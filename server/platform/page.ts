/** Range of a list. */
export interface PageQuery {
  limit: number;
  offset: number;
}

/** @typeParam Rows how the rows are held: a list of them when absent */
export interface Page<T, Rows = T[]> {
  data: Rows;
  /** Of all that match, before the page is cut. */
  total: number;
}
