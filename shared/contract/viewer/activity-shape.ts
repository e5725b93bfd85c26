/** How activity is broken down. Imports nothing, so that threads without zod can read it. */

export const activityBreakdowns = ['model', 'prompt', 'user', 'tool', 'service', 'tag'] as const;
export type ActivityBreakdown = (typeof activityBreakdowns)[number];

/** So few traces are returned one by one: of any range, and of a range of at most an hour. */
export const singleTracesMax = 200;
export const singleTracesInHourMax = 1000;
