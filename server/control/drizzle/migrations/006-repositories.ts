/** Not released yet. */
export const repositories = '';
