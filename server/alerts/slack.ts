/** The two calls of Slack's web API that we use. Its responses are untrusted. */
import { z } from 'zod';
import { networkMessage } from '../platform/network-messages.ts';
import type { Outbound, Outcome } from '../platform/outbound/outbound.ts';
import type { SlackMessage } from './formats/slack-message.ts';

const pagesMax = 20;
const perPage = 200;
const pageBytesMax = 2 * 1024 * 1024;

const slackResponse = z.object({ ok: z.boolean(), error: z.string().max(100).optional() });
const channelPage = z.object({
  channels: z.array(z.object({ id: z.string(), name: z.string(), is_archived: z.boolean().default(false) })),
  response_metadata: z.object({ next_cursor: z.string().default('') }).optional(),
});

export interface SlackChannel {
  id: string;
  name: string;
  is_archived: boolean;
}

/** Slack answered with an error code, or with an invalid response. */
export class SlackRefusal extends Error {
  /** Slack's error code: `invalid_auth`, `channel_not_found`... */
  readonly code: string;

  constructor(code: string, message = `Slack answered ${code}`) {
    super(message);
    this.name = 'SlackRefusal';
    this.code = code;
  }
}

export class Slack {
  readonly #outbound: Outbound;
  readonly #base: string;

  /** @param base address of the API, with a slash at its end */
  constructor(outbound: Outbound, base: string) {
    this.#outbound = outbound;
    this.#base = base;
  }

  /**
   * All channels that the bot can see, archived ones too, up to the twentieth page.
   * @throws SlackRefusal
   */
  async channels(token: string): Promise<SlackChannel[]> {
    const channels: SlackChannel[] = [];
    let cursor = '';
    for (let page = 0; page < pagesMax; page++) {
      const query = new URLSearchParams({ limit: String(perPage), types: 'public_channel,private_channel', ...(cursor && { cursor }) });
      const headers = { Authorization: `Bearer ${token}` };
      const url = `${this.#base}conversations.list?${query}`;
      const answer = answerOf(await this.#outbound.send(url, { method: 'GET', headers, bytesMax: pageBytesMax }));
      const read = channelPage.safeParse(answer);
      if (!read.success) throw new SlackRefusal('unreadable_answer');
      channels.push(...read.data.channels);
      cursor = read.data.response_metadata?.next_cursor ?? '';
      if (cursor === '') break;
    }
    return channels;
  }

  /** The caller reads the outcome: Slack may refuse with status 200. */
  post(token: string, channel: string, message: SlackMessage, stop?: AbortSignal): Promise<Outcome> {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json; charset=utf-8' };
    const body = JSON.stringify({ channel, ...message, unfurl_links: false, unfurl_media: false });
    return this.#outbound.send(`${this.#base}chat.postMessage`, { method: 'POST', headers, body }, stop);
  }
}

/**
 * Body of a successful response.
 * @throws SlackRefusal
 */
export function answerOf(outcome: Outcome): unknown {
  if (outcome.kind === 'blocked') throw new SlackRefusal('blocked');
  if (outcome.kind === 'unreachable') throw new SlackRefusal(outcome.why, `Slack did not answer: ${networkMessage(outcome.why)}`);
  if (outcome.status !== 200) throw new SlackRefusal(`status ${outcome.status}`);
  const body = jsonOf(outcome.body);
  const { data } = slackResponse.safeParse(body);
  if (!data?.ok) throw new SlackRefusal(data?.error ?? 'unreadable_answer');
  return body;
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
