/** Whether the command palette is open. Separate from the component, so that buttons of any screen can open it. */
import { useSyncExternalStore } from 'react';

let isOpen = false;
const listeners = new Set<() => void>();

function setOpen(open: boolean): void {
  isOpen = open;
  for (const onChange of listeners) onChange();
}

const watch = (onChange: () => void) => {
  listeners.add(onChange);
  return () => void listeners.delete(onChange);
};

const open = () => setOpen(true);
const close = () => setOpen(false);

export const usePalette = () => ({ isOpen: useSyncExternalStore(watch, () => isOpen), open, close });
