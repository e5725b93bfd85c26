/** How a step of one run can differ from that of another. Separate from the schemas, so that threads without zod can import it. */

/**
 * In the order in which they explain each other: what comes first may be the cause of what comes after it. `order`: each run takes the step of the
 * other later on. `missing`: only one run has the step. `choice`: the model called other tools. `wording`: it only answered in other words.
 */
export const differences = [
  'order',
  'missing',
  'model',
  'settings',
  'tools',
  'prompt',
  'messages',
  'arguments',
  'result',
  'choice',
  'wording',
] as const;

export type Difference = (typeof differences)[number];
