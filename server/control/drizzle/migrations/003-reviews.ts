/** Not released yet. */
export const reviews = '';
