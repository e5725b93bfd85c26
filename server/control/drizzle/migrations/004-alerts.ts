/** Not released yet. */
export const alerts = '';
