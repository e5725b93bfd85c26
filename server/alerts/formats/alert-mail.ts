import { type MailPart, mailOf } from '../../mail/mail-text.ts';
import type { Mail } from '../../mail/mailer.ts';
import { moreInWords, type Told } from '../told.ts';

/** @param url of the list of alerts */
export function alertMail(told: Told, url: string): Mail {
  const [notice, second] = told.notices;
  const more = moreInWords(told);
  const parts: MailPart[] = second
    ? [
        told.notices.map(({ message, alert }) => ({ label: message, url: alert.url })),
        ...(more ? [more] : []),
        { label: 'Open the alerts', url },
      ]
    : notice
      ? [
          ...(notice.traces.length > 0
            ? [notice.traces.map(({ name, figure, url: of }) => ({ label: `${name}: ${figure}`, plain: figure, url: of }))]
            : []),
          { label: 'Open the alert', url: notice.alert.url },
          { label: 'Open the traces', url: notice.tracesUrl },
        ]
      : [];
  return mailOf(told.summary, [told.summary, ...parts]);
}
