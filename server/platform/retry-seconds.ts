/** When to come back after an overload: 1 to 5 seconds at random, so that those who were refused together do not return together. */
export const retrySeconds = (): number => 1 + Math.floor(Math.random() * 5);
