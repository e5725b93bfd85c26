/** Slack's markup of messages. Whatever comes from others is escaped: it can neither link, nor mention anybody, nor look like a line of ours. */

/** Text as it is. Otherwise a name could mention everybody in the channel. */
export const mrkdwnText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Text in which Slack finds no addresses and no emphasis. */
export const mrkdwnCode = (text: string): string => `\`${mrkdwnText(text.replaceAll('`', "'"))}\``;

/** @param url with special characters encoded @param label our own words */
export const mrkdwnLink = (url: string, label: string): string => `<${mrkdwnText(url.replaceAll('|', '%7C'))}|${label}>`;
