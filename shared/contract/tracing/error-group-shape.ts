/** How failures are grouped. Imports nothing, so that threads without zod can read it. */

/** Steps of the trend. */
export const trendSteps = 14;

/** What stands in a message in place of what varies: `‹n›` for a number. */
export const messagePlaceholders = ['n', 'id', 'url', 'path', 'time', 'text'] as const;
