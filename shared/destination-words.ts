/** The state of a destination as text, with what to do about it. For the viewer and for `glasshouse doctor`. */
import type { Destination, DestinationState } from './contract/operations/destination.ts';

export interface DestinationSummary {
  tone: 'ok' | 'plain' | 'warm' | 'err';
  line: string;
  help: string;
  /** What the user can do; null when nothing needs to be done. */
  todo: 'resume' | 'retry' | 'key' | 'address' | null;
}

type SummaryInput = Pick<Destination, 'state' | 'waiting' | 'automatic' | 'key'>;
type Reason = NonNullable<DestinationState['why']>;

const nothingLost = 'Nothing is lost: new traces are queued here, and forwarding retries by itself.';

/** The summary for each reason. `since` is formatted by the caller. */
const reasons: Record<Reason, (since: string, message: string) => DestinationSummary> = {
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
    help: `${sentence(message)} Everything is queued here until there is room. An owner of the team can see the usage in the cloud.`,
    todo: 'retry',
  }),
  store: (_, message) => ({
    tone: 'err',
    line: 'The outbox cannot be read',
    help: `${sentence(message)} It retries by itself; \`glasshouse doctor\` checks the store.`,
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
    help: `${sentence(message)} Check the address, or the version of the cloud.`,
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

/** @param when formats a time @param count formats a number */
export function summariseDestination(
  { state, waiting, automatic, key }: SummaryInput,
  when: (iso: string) => string,
  count: (value: number) => string,
): DestinationSummary {
  if (state.is === 'off') return { tone: 'plain', line: 'Paused by you', help: 'New traces are stored here and queued.', todo: 'resume' };
  if (state.is === 'sending') return { tone: 'ok', line: `Sending, ${count(waiting.spans)} spans left`, help: '', todo: null };
  if (state.is === 'up_to_date' || state.why === null) {
    if (automatic) return { tone: 'ok', line: 'Up to date', help: 'Everything received has been forwarded.', todo: null };
    return { tone: 'ok', line: 'Ready', help: 'Only traces that you forward by hand are sent.', todo: null };
  }
  const summary = reasons[state.why](state.since ? ` since ${when(state.since)}` : '', state.message);
  if (summary.todo !== 'key' || key.kept !== 'environment') return summary;
  return { ...summary, help: 'Set GLASSHOUSE_FORWARD_KEY to another key, and restart the gateway.', todo: null };
}

const sentence = (text: string): string => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`);
