/** Which part of a list is asked for. */
export interface PageQuery {
  limit: number;
  offset: number;
}

export interface Page<T> {
  data: T[];
  /** Of all that match, before the page is cut. */
  total: number;
}
