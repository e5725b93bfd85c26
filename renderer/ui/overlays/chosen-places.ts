/** Traces, spans and sessions on which a dialog acts. Separate from the dialogs, so that any screen can open one without its code. */
import { useSyncExternalStore } from 'react';

/**
 * A span, or with an empty `spanId` a trace. With a `sessionId` it is a turn of that session, which can be chosen instead; without a
 * `traceId`, only the session.
 */
export interface Place {
  traceId: string;
  spanId: string;
  sessionId?: string;
}

export type ActKind = 'dataset' | 'queue' | 'score' | 'comment' | 'tag';

interface Chosen {
  /** Of this opening. */
  id: number;
  act: ActKind;
  places: readonly Place[];
}

let chosen: Chosen | null = null;
let openings = 0;
const listeners = new Set<() => void>();

function choose(next: Chosen | null): void {
  chosen = next;
  for (const onChange of listeners) onChange();
}

const watch = (onChange: () => void) => {
  listeners.add(onChange);
  return () => void listeners.delete(onChange);
};

/** Opens the dialog of an act for one place, or for several traces. */
export const openAct = (act: ActKind, places: readonly Place[]): void => choose({ id: ++openings, act, places });

/** Closes the dialog of one opening: a browser tells late that a dialog was closed, when a key may have opened the next one. */
export function closeAct(id: number): void {
  if (chosen?.id === id) choose(null);
}

/** Null while no dialog is open. */
export const useChosenPlaces = (): Chosen | null => useSyncExternalStore(watch, () => chosen);
