/** Where in a span the words of a search can be. Imports nothing, so that threads without zod can read it. */

/** Those that say most first. */
export const matchPlaces = ['error', 'tool_result', 'output', 'tool_arguments', 'input', 'name', 'metadata', 'system', 'props'] as const;
export type MatchPlace = (typeof matchPlaces)[number];
