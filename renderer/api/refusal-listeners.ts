/** Listeners to refused requests: the login has expired, or the app was deleted. */
const listeners = new Set<() => void>();

export const reportRefused = (): void => {
  for (const listener of listeners) listener();
};

export const onRefused = (listener: () => void): void => void listeners.add(listener);
