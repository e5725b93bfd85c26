/** How a destination stands, in plain words, with the one thing to do. For the screen and for `glasshouse doctor`. */
import type { Destination, DestinationState } from './contract/operations/destination.ts';

export interface InWords {
  tone: 'ok' | 'plain' | 'warm' | 'err';
  line: string;
  help: string;
  /** What helps: null when nothing needs to be done. */
  todo: 'resume' | 'retry' | 'key' | 'address' | null;
}

type Stands = Pick<Destination, 'state' | 'waiting' | 'automatic' | 'key'>;
type Why = NonNullable<DestinationState['why']>;

const nothingLost = 'Nothing is lost: what comes in waits here, and it tries again by itself.';

/** What is said of each reason. `since` is in the words of whoever shows it. */
const reasons: Record<Why, (since: string, message: string) => InWords> = {
  offline: (since, message) => ({ tone: 'warm', line: `Offline${since}`, help: `${sentence(message)} ${nothingLost}`, todo: 'retry' }),
  portal: () => ({
    tone: 'warm',
    line: 'Offline: a sign-in page is in the way',
    help: `The network answers in place of the cloud, as in a hotel. Sign in to the network. ${nothingLost}`,
    todo: 'retry',
  }),
  server_error: (since, message) => ({
    tone: 'warm',
    line: `The cloud answers with server errors${since}`,
    help: `${sentence(message)} ${nothingLost}`,
    todo: 'retry',
  }),
  slowed: () => ({
    tone: 'plain',
    line: 'Slowed by the cloud',
    help: 'The cloud asked for a pause. Forwarding continues automatically.',
    todo: null,
  }),
  quota: (_, message) => ({
    tone: 'warm',
    line: 'The quota of the cloud is used up',
    help: `${sentence(message)} Everything waits here until there is room. An owner of the team can see the usage in the cloud.`,
    todo: 'retry',
  }),
  store: (_, message) => ({
    tone: 'err',
    line: 'The outbox cannot be read',
    help: `${sentence(message)} It tries again by itself; \`glasshouse doctor\` looks at the store.`,
    todo: 'retry',
  }),
  address: (_, message) => ({
    tone: 'err',
    line: 'Paused: the address is wrong',
    help: `${sentence(message)} Nothing was sent there.`,
    todo: 'address',
  }),
  key: () => ({
    tone: 'err',
    line: 'Paused: the key is refused',
    help: 'The cloud does not accept it: it was revoked, or is for another cloud. Enter another one; new traces are queued.',
    todo: 'key',
  }),
  permission: (_, message) => ({
    tone: 'err',
    line: 'Paused: the key has no write permission',
    help: `${sentence(message)} Enter a key that may write traces of this app.`,
    todo: 'key',
  }),
  incompatible: (_, message) => ({
    tone: 'err',
    line: 'Paused: this server does not accept traces',
    help: `${sentence(message)} Look at the address, or at the version of the cloud.`,
    todo: 'address',
  }),
  certificate: (_, message) => ({
    tone: 'err',
    line: 'Paused: the certificate is not trusted',
    help: `The server has no valid certificate for this cloud (${message}). Neither key nor traces were sent.`,
    todo: 'retry',
  }),
  no_key: () => ({
    tone: 'err',
    line: 'Paused: there is no key',
    help: 'A key belongs to one address. Enter one; new traces are queued.',
    todo: 'key',
  }),
  secrets: (_, message) => ({ tone: 'err', line: 'Paused: the key cannot be read', help: sentence(message), todo: 'retry' }),
  itself: (_, message) => ({ tone: 'err', line: 'Paused: traces would come back', help: sentence(message), todo: 'address' }),
};

/** @param when writes a moment for its reader @param count writes a number */
export function destinationInWords(
  { state, waiting, automatic, key }: Stands,
  when: (iso: string) => string,
  count: (of: number) => string,
): InWords {
  if (state.is === 'off') return { tone: 'plain', line: 'Paused by you', help: 'New traces are stored here and queued.', todo: 'resume' };
  if (state.is === 'sending') return { tone: 'ok', line: `Sending, ${count(waiting.spans)} spans left`, help: '', todo: null };
  if (state.is === 'up_to_date' || state.why === null) {
    if (automatic) return { tone: 'ok', line: 'Up to date', help: 'Everything received has been forwarded.', todo: null };
    return { tone: 'ok', line: 'Ready', help: 'Only traces that you forward by hand are sent.', todo: null };
  }
  const said = reasons[state.why](state.since ? ` since ${when(state.since)}` : '', state.message);
  if (said.todo !== 'key' || key.kept !== 'environment') return said;
  return { ...said, help: 'Set GLASSHOUSE_FORWARD_KEY anew, and start the gateway again.', todo: null };
}

const sentence = (text: string): string => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`);
