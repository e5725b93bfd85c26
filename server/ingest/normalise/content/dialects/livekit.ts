import type { Dialect } from '../dialect.ts';

/** LiveKit's chat context: `{items:[…]}`, whose items have the names of OpenAI's Responses API and contents that are lists of texts. */
export const livekit: Dialect = {
  body: (value, decoder, role) => (Array.isArray(value['items']) ? decoder.messages(value['items'], role) : undefined),
};
