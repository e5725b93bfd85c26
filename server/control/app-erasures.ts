import type { Scope } from '../platform/scope.ts';
import type { Outbox } from './outbox.ts';

/** A deleted app whose telemetry, which is in another file, is still to be erased. */
export interface AppErasure {
  position: number;
  scope: Scope;
}

/** Committed with the deletion of an app. An entry is delivered when the telemetry store has durably marked the app for erasure. */
export type AppErasures = Outbox<AppErasure>;
