/** Plain messages for network failures without an answer. */
const messages: Readonly<Record<string, string>> = {
  ENOTFOUND: 'There is no host of this name',
  EAI_AGAIN: 'The name of the host could not be looked up',
  ECONNREFUSED: 'Nothing accepts connections at this address',
  ECONNRESET: 'The connection was cut',
  EPIPE: 'The connection was cut',
  ETIMEDOUT: 'No answer came in time',
  timeout: 'No answer came in time',
  EHOSTUNREACH: 'There is no route to this host',
  ENETUNREACH: 'There is no network',
};

/** @param code error code such as `ENOTFOUND`, kept in the message for lookup */
export const networkMessage = (code: string): string => `${messages[code] ?? 'The host could not be reached'}, ${code}`;
