/** What a receiver is told at once: one notice, or the first of a group with the number of all. */
import type { PendingDelivery } from '../control/alert-watch.ts';
import { oneLine } from '../mail/mail-text.ts';
import type { NoticeData } from './notice.ts';

export interface Told {
  /** One sentence. Names in it come from people of the team. */
  summary: string;
  /** Those that are listed; none in a test. */
  notices: readonly NoticeData[];
  /** Of a group: messages of an earlier version, which had no data. Only the Slack channel of an app has them. */
  texts: readonly string[];
  /** How many are not listed. */
  more: number;
}

export type Outgoing = Pick<PendingDelivery, 'payloads' | 'triggered' | 'resolved'>;

/** A payload of the outbox. Earlier versions stored the text of a Slack message. */
function read(payload: string): { data: NoticeData | null; message: string } {
  try {
    const { type, data } = (JSON.parse(payload) as { event: { type: string; data: NoticeData } }).event;
    const message = oneLine(data.message, messageChars);
    return { data: type === 'alert' ? { ...data, message } : null, message };
  } catch {
    return { data: null, message: oneLine(payload, messageChars) };
  }
}

const messageChars = 1000;

const several = (number: number, verb: string): string => `${number} ${number === 1 ? 'alert' : 'alerts'} ${verb}`;

export function toldOf({ payloads, triggered, resolved }: Outgoing): Told {
  const each = payloads.map(read);
  const notices = each.flatMap(({ data }) => data ?? []);
  if (each.length < 2) return { summary: each[0]?.message ?? '', notices, texts: [], more: 0 };
  const counted = [triggered > 0 && several(triggered, 'triggered'), resolved > 0 && several(resolved, 'resolved')];
  const app = notices[0]?.app.name;
  const summary = `${counted.filter(Boolean).join(' and ')}${app === undefined ? '' : ` in ${app}`}`;
  const texts = each.flatMap(({ data, message }) => (data ? [] : [message]));
  return { summary, notices, texts, more: triggered + resolved - payloads.length };
}

/** `and 5 more`; null when all are listed. */
export const moreInWords = ({ more }: Told): string | null => (more > 0 ? `and ${more} more` : null);
