/** Time of one idle step, for which a batch may have to wait beside its commit. */
const stepMs = 5;

/**
 * Repeats a small piece of work until it answers that nothing is left, or until the time of one step is over.
 * @returns whether something is left
 */
export function spend(piece: () => boolean, ms = stepMs): boolean {
  const until = performance.now() + ms;
  do if (!piece()) return false;
  while (performance.now() < until);
  return true;
}
