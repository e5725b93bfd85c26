/** Sharing out new items among the reviewers of a queue, without a store. */

export interface Load {
  user_id: string;
  /** Open items that are assigned to them. */
  open: number;
}

export interface Assignment {
  item_id: string;
  user_id: string;
}

/** Each item goes to as many different reviewers as it requires, always to those with the fewest open items. */
export function sharedOut(itemIds: readonly string[], loads: readonly Load[], required: number): Assignment[] {
  const current = loads.map((load) => ({ ...load }));
  return itemIds.flatMap((item_id) => {
    const chosen = current.toSorted((a, b) => a.open - b.open).slice(0, required);
    for (const load of chosen) load.open++;
    return chosen.map(({ user_id }) => ({ item_id, user_id }));
  });
}
