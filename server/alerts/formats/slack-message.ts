import { mrkdwnCode, mrkdwnLink, mrkdwnText } from '../mrkdwn.ts';
import type { NoticeData } from '../notice.ts';
import { moreInWords, type Told } from '../told.ts';

/** Message of Slack: blocks, and the same text for notifications. Everything that people wrote is escaped. */
export interface SlackMessage {
  text: string;
  blocks: readonly { type: 'section'; text: { type: 'mrkdwn'; text: string } }[];
}

/** @param url of the list of alerts */
export function slackMessage(told: Told, url: string): SlackMessage {
  const lines = told.notices.length + told.texts.length > 1 ? groupLines(told, url) : singleLines(told);
  return { text: lines.join('\n'), blocks: lines.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text } })) };
}

function singleLines({ summary, notices: [notice] }: Told): string[] {
  return [mrkdwnText(summary), ...(notice ? detailsOf(notice) : [])];
}

function detailsOf({ alert, tracesUrl, traces }: NoticeData): string[] {
  const links = [mrkdwnLink(alert.url, 'Open the alert'), mrkdwnLink(tracesUrl, 'Open the traces')].join(' · ');
  return [links, ...traces.map(({ name, figure, url }) => `• ${mrkdwnCode(name)} ${mrkdwnText(figure)} ${mrkdwnLink(url, 'Open')}`)];
}

function groupLines(told: Told, url: string): string[] {
  const lines = told.notices.map(({ message, alert }) => `• ${mrkdwnText(message)} ${mrkdwnLink(alert.url, 'Open')}`);
  const texts = told.texts.map((text) => `• ${mrkdwnText(text)}`);
  const more = moreInWords(told);
  return [`${mrkdwnText(told.summary)} ${mrkdwnLink(url, 'Open the alerts')}`, ...lines, ...texts, ...(more ? [more] : [])];
}
