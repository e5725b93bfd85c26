/** Where a request to sign in comes from. */
import type { IncomingMessage } from 'node:http';
import type { Principal } from './authenticator.ts';
import { clientInWords } from './client-words.ts';

export interface From {
  ip: string | null;
  /** Browser and system in words. */
  client: string | null;
}

export const fromOf = ({ actor }: Pick<Principal, 'actor'>, { headers }: Pick<IncomingMessage, 'headers'>): From => ({
  ip: actor.ip,
  client: clientInWords(headers['user-agent']),
});
