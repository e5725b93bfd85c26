/** Which gateway has the socket of an app's worker. The newest connection of an app counts. */
import type { Scope } from '../platform/scope.ts';

/** A gateway that has not renewed its sockets for this long has gone. */
export const holderGoneMs = 15_000;

export interface SocketHolder {
  /** Process of a gateway. */
  instance: string;
  /** URL where other gateways reach it, without a trailing slash. */
  address: string;
}

export interface HeldSocket {
  scope: Scope;
  /** Greater than that of any earlier connection of the app. */
  epoch: number;
  /** A JSON value for whoever asks about the worker. */
  status: unknown;
}

/** Its methods throw StorageError when the directory cannot be used. */
export interface WorkerSockets {
  /** Makes a new connection that of the app. @returns its epoch, or null when another gateway has a newer one already */
  claim(holder: SocketHolder, scope: Scope, status: unknown): Promise<number | null>;
  /** Renews connections, and removes those of gateways that have gone. @returns those that are still the newest of their app */
  renew(holder: SocketHolder, held: readonly HeldSocket[]): Promise<{ scope: Scope; epoch: number }[]>;
  /** Null when no gateway has one. */
  find(scope: Scope): Promise<(SocketHolder & HeldSocket) | null>;
  /** Ignored when the app has a newer connection. */
  release(instance: string, scope: Scope, epoch: number): Promise<void>;
  releaseAll(instance: string): Promise<void>;
}
