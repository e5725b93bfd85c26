/** What became of a request that got no answer, for people who have never seen a code of the operating system. */
const words: Readonly<Record<string, string>> = {
  ENOTFOUND: 'There is no host of this name',
  EAI_AGAIN: 'The name of the host could not be looked up',
  ECONNREFUSED: 'Nothing accepts connections at this address',
  ECONNRESET: 'The connection was cut',
  EPIPE: 'The connection was cut',
  ETIMEDOUT: 'No answer came in time',
  timeout: 'No answer came in time',
  EHOSTUNREACH: 'There is no way to this host',
  ENETUNREACH: 'There is no network',
};

/** @param code of the error, such as `ENOTFOUND`; kept beside the words, for whoever looks it up */
export const wordsOfNetwork = (code: string): string => `${words[code] ?? 'The host could not be reached'}, ${code}`;
