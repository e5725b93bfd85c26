/** Traces and spans to be added somewhere. Separate from the dialogs, so that any screen can open one without its code. */
import { useSyncExternalStore } from 'react';

/** A span, or with an empty `spanId` a trace. */
export interface Place {
  traceId: string;
  spanId: string;
}

interface Chosen {
  to: 'dataset' | 'queue';
  places: readonly Place[];
}

let chosen: Chosen | null = null;
const listeners = new Set<() => void>();

function choose(next: Chosen | null): void {
  chosen = next;
  for (const onChange of listeners) onChange();
}

const watch = (onChange: () => void) => {
  listeners.add(onChange);
  return () => void listeners.delete(onChange);
};

/** Opens the dialog for one span, or for traces. */
export const addToDataset = (places: readonly Place[]): void => choose({ to: 'dataset', places });
export const addToQueue = (places: readonly Place[]): void => choose({ to: 'queue', places });
export const closePlaces = (): void => choose(null);

/** Null while no dialog is open. */
export const useChosenPlaces = (): Chosen | null => useSyncExternalStore(watch, () => chosen);
