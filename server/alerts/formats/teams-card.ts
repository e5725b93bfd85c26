import { moreInWords, type Told } from '../told.ts';

const openUrl = (url: string, title: string) => ({ type: 'Action.OpenUrl', title, url });

/** Text of a run is shown as it is, whereas that of a `TextBlock` is Markdown. */
const line = (text: string, options: object = {}) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, ...options }] });
const linked = (text: string, url: string) => line(text, { selectAction: openUrl(url, 'Open') });

/** Message with an Adaptive Card for a webhook of Microsoft Teams Workflows. @param url of the list of alerts */
export function teamsMessage(told: Told, url: string): object {
  const [notice, second] = told.notices;
  const more = moreInWords(told);
  const listed = second
    ? told.notices.map(({ message, alert }) => linked(message, alert.url))
    : (notice?.traces ?? []).map((trace) => linked(`${trace.name}: ${trace.figure}`, trace.url));
  const actions = second
    ? [openUrl(url, 'Open the alerts')]
    : notice
      ? [openUrl(notice.alert.url, 'Open the alert'), openUrl(notice.tracesUrl, 'Open the traces')]
      : [];
  const card = {
    ...{ $schema: 'http://adaptivecards.io/schemas/adaptive-card.json', type: 'AdaptiveCard', version: '1.4' },
    body: [line(told.summary, { weight: 'Bolder' }), ...listed, ...(more ? [line(more, { isSubtle: true })] : [])],
    ...(actions.length > 0 && { actions }),
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content: card }] };
}
