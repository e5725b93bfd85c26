/** Listeners to refused requests: the login has ended, or the app is gone. */
const listeners = new Set<() => void>();

export const noteRefused = (): void => {
  for (const heard of listeners) heard();
};

export const onRefused = (heard: () => void): void => void listeners.add(heard);
