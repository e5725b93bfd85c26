/** Time of one idle step in milliseconds. A batch may have to wait for it in addition to its commit. */
const stepMs = 5;

/**
 * Repeats a small piece of work until the piece returns false, because nothing is left, or until the time of one step is over.
 * @returns whether work is left
 */
export function runTimeSlice(piece: () => boolean, ms = stepMs): boolean {
  const until = performance.now() + ms;
  do if (!piece()) return false;
  while (performance.now() < until);
  return true;
}
