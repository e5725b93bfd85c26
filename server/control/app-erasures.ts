import type { Scope } from '../platform/scope.ts';
import type { DeliveryOutbox } from './delivery.ts';

/** An app that was deleted: its telemetry, which is in another file, is to follow. */
export interface AppErasure {
  position: number;
  scope: Scope;
}

/** Committed with the deletion. An entry has arrived when the telemetry has noted that everything of the app goes. */
export type AppErasures = DeliveryOutbox<AppErasure>;
