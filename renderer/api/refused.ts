/** A request was not let in: its login is over, or its app is gone. Whoever signs people in listens. */
const listeners = new Set<() => void>();

export const noteRefused = (): void => {
  for (const heard of listeners) heard();
};

export const onRefused = (heard: () => void): void => void listeners.add(heard);
