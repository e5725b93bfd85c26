/** Not released yet. */
export const deployments = '';
