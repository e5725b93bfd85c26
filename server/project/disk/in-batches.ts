const atOnce = 32;

/** Results in the order of the inputs; few at once, since each holds a file open. */
export async function inBatches<A, B>(inputs: readonly A[], work: (input: A) => Promise<B>): Promise<B[]> {
  const results: B[] = [];
  for (let from = 0; from < inputs.length; from += atOnce)
    results.push(...(await Promise.all(inputs.slice(from, from + atOnce).map(work))));
  return results;
}
