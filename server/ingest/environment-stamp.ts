import type { IncomingMessage } from 'node:http';
import type { Principal } from '../app/authenticate.ts';

/** Which environment a write belongs to, and which version of it was deployed then. */
export interface EnvironmentStamp {
  /** Empty: none. */
  name: string;
  /** Null while nothing is pinned there. */
  version: number | null;
}

/**
 * Says which environment a write belongs to. Where there are keys, the key decides and what the sender claims counts for nothing; on one's
 * own machine there is nobody to deceive.
 */
export interface EnvironmentStamps {
  /** Null: what the spans themselves say is right. */
  of(principal: Principal, request: IncomingMessage): Promise<EnvironmentStamp | null>;
}

/** Spans say where they come from. */
export const asSent: EnvironmentStamps = { of: async () => null };
