/** What is to be added to a dataset. Separate from the dialog, so that any screen can open it without its code. */
import { useSyncExternalStore } from 'react';

/** A span, or with an empty `spanId` a trace. */
export interface RowPlace {
  traceId: string;
  spanId: string;
}

let places: readonly RowPlace[] | null = null;
const listeners = new Set<() => void>();

function setPlaces(next: readonly RowPlace[] | null): void {
  places = next;
  for (const onChange of listeners) onChange();
}

const watch = (onChange: () => void) => {
  listeners.add(onChange);
  return () => void listeners.delete(onChange);
};

/** Opens the dialog for one span, or for traces. */
export const addToDataset = (chosen: readonly RowPlace[]): void => setPlaces(chosen);
export const closeDatasetDialog = (): void => setPlaces(null);

/** Null while the dialog is closed. */
export const usePlacesToAdd = (): readonly RowPlace[] | null => useSyncExternalStore(watch, () => places);
