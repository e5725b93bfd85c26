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

/**
 * What a run can have that another lacks, in the order in which they explain each other. `tool`: it was called; `step`: any other step was taken.
 * `tools`: the model was offered one. `order`: one step came before another one.
 */
export const factKinds = ['step', 'tool', 'model', 'setting', 'tools', 'prompt', 'argument', 'result', 'order', 'error'] as const;

export type FactKind = (typeof factKinds)[number];

/** Traces of a group that is compared. */
export const groupMax = 50;
