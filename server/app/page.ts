/** List envelope: the rows of the page, with the requested range and the total. */
export function asPage<D>({ limit, offset }: { limit: number; offset: number }, { data, total }: { data: D; total: number }) {
  return { data, pagination: { limit, offset, total } };
}
