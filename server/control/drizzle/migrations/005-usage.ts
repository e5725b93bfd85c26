/** Not released yet. */
export const usage = '';
