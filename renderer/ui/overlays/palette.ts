/** Whether the command palette is open. Beside the component, so that a button can open it before its code has come. */
import { useSyncExternalStore } from 'react';

let isOpen = false;
const listeners = new Set<() => void>();

function become(open: boolean): void {
  isOpen = open;
  for (const changed of listeners) changed();
}

const watch = (changed: () => void) => {
  listeners.add(changed);
  return () => void listeners.delete(changed);
};

const open = () => become(true);
const close = () => become(false);

export const usePalette = () => ({ isOpen: useSyncExternalStore(watch, () => isOpen), open, close });
