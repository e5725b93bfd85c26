/** Range of a list. */
export interface PageQuery {
  limit: number;
  offset: number;
}

export interface Page<T> {
  data: T[];
  /** Number of all matches. */
  total: number;
}
