/** Sharing out new items among the reviewers of a queue, without a store. */

export interface Load {
  user_id: string;
  /** Open items that are assigned to them. */
  open: number;
  /** Items of the queue that are or were assigned to them, or that they have reviewed. */
  all: number;
}

export interface Assignment {
  item_id: string;
  user_id: string;
}

/**
 * Each item goes to as many different reviewers as it requires, always to those with the fewest open items, and among
 * those to who had the fewest so far: else items that come one by one, and are reviewed at once, would all go to the first.
 */
export function sharedOut(itemIds: readonly string[], loads: readonly Load[], required: number): Assignment[] {
  const current = loads.map((load) => ({ ...load }));
  return itemIds.flatMap((item_id) => {
    const chosen = current.toSorted((a, b) => a.open - b.open || a.all - b.all).slice(0, required);
    for (const load of chosen) {
      load.open++;
      load.all++;
    }
    return chosen.map(({ user_id }) => ({ item_id, user_id }));
  });
}
