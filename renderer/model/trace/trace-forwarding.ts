/** Texts of a trace's forwarding state, and the link to the trace in the cloud. */
import type { Destination } from '../../../shared/contract/operations/destination.ts';
import type { TraceForwarding } from '../../../shared/contract/operations/trace-forwarding.ts';
import { formatSearch } from '../filter/search-string.ts';
import { plural } from '../text/format.ts';
import { when } from '../time/time.ts';

type DestinationState = TraceForwarding['destinations'][number];

/** Errors first; a trace that reached one destination does not count as unsent. */
const order = ['dead_letter', 'refused', 'queued', 'sent', 'local'] as const;

/** State of the destination that needs attention most. Null without forwarding. */
export function worstState(forwarding: TraceForwarding): DestinationState['is'] | null {
  return order.find((is) => forwarding.destinations.some((destination) => destination.is === is)) ?? null;
}

/** A line for each destination. */
export const forwardingText = ({ destinations }: TraceForwarding): string => destinations.map(lineOf).join('\n');

function lineOf({ name, is, waiting, dead_letters, refused, reason, sent_at }: DestinationState): string {
  const why = reason === '' ? '' : `: ${reason}`;
  switch (is) {
    case 'local':
      return `On this machine only, not at ${name}`;
    case 'queued':
      return waiting > 0 ? `${plural(waiting, 'span')} on the way to ${name}` : `On the way to ${name}`;
    case 'sent':
      return `Sent to ${name}${sent_at === null ? '' : `, last ${when(sent_at)}`}`;
    case 'refused':
      return `${name} did not keep ${refused === 1 ? 'one span' : `up to ${plural(refused, 'span')}`}${why}`;
    case 'dead_letter':
      return `${plural(dead_letters, 'dead letter')} at ${name}${why}`;
  }
}

/** The page of the trace in the cloud, or why there is none to open. */
export type CloudPage = { url: string } | { whyNot: string };

/** The same link as the page in the cloud has: with the app, and the environment where it is known. */
export function cloudPageOf(traceId: string, destination: Destination, { is, sent_at, refused }: DestinationState): CloudPage {
  const { state, viewer_url, app_id: app, environment } = destination;
  if (state.is === 'paused' && (state.why === 'key' || state.why === 'permission')) return { whyNot: 'Its key is refused' };
  if (refused > 0) return { whyNot: 'Spans of it were refused' };
  if (sent_at === null) return { whyNot: unsent[is] };
  if (viewer_url === null) return { whyNot: 'The address is not valid' };
  return { url: `${viewer_url}/#/traces/${encodeURIComponent(traceId)}${formatSearch({ app, environment })}` };
}

const unsent = {
  local: 'It was not sent',
  queued: 'It is still on the way',
  sent: 'It was not sent',
  refused: 'It was refused',
  dead_letter: 'It was refused',
} as const;
