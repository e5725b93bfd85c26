/** Texts of a trace's forwarding state. */
import type { TraceForwarding } from '../../../shared/contract/operations/trace-forwarding.ts';
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
