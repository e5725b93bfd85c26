/** The list envelope: the page's rows, and what was asked for beside what there is. */
export function asPage<D>({ limit, offset }: { limit: number; offset: number }, { data, total }: { data: D; total: number }) {
  return { data, pagination: { limit, offset, total } };
}
