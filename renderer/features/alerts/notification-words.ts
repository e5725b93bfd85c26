/** What became of the notifications of a status change. */
import type { AlertChange, Deliveries, Delivery } from './alerts-query.ts';

export interface NamedChannel {
  id: string;
  name: string;
}

type Receiver = Pick<Delivery, 'destination' | 'channel_id'>;

const withoutChannel: Partial<Record<Delivery['destination'], string>> = { webhook: 'Webhook', slack: 'Slack', owner: 'Owner' };

/** @param channels of the app; undefined while they are not known */
function receiverInWords({ destination, channel_id }: Receiver, channels: readonly NamedChannel[] | undefined): string {
  if (channel_id === null) return withoutChannel[destination] ?? destination;
  return channels ? (channels.find(({ id }) => id === channel_id)?.name ?? 'A deleted channel') : '…';
}

/** `On call delivered, On call acknowledgement waiting, Support failed (4xx)`. */
export function notificationsInWords(
  { id, created_at }: Pick<AlertChange, 'id' | 'created_at'>,
  deliveries: Deliveries | undefined,
  channels: readonly NamedChannel[] | undefined,
): string {
  if (!deliveries) return '…';
  const sent = deliveries.byChange.get(id) ?? [];
  const { knownAfter } = deliveries;
  if (sent.length === 0) return knownAfter !== null && String(created_at) <= knownAfter ? 'Too long ago to be listed' : 'Nobody';
  const isSame = (one: Receiver, other: Receiver) => one.destination === other.destination && one.channel_id === other.channel_id;
  return sent
    .map((delivery, index) => {
      const { state, answer, attempts } = delivery;
      // What follows to the same receiver says that the alert was acknowledged.
      const isAcknowledgement = sent.slice(0, index).some((earlier) => isSame(earlier, delivery));
      const receiver = `${receiverInWords(delivery, channels)}${isAcknowledgement ? ' acknowledgement' : ''}`;
      const retries = attempts > 1 ? ` after ${attempts} attempts` : '';
      return `${receiver} ${state}${answer ? ` (${answer})` : ''}${retries}`;
    })
    .join(', ');
}
