/** Texts of e-mails: plain text, and the same as HTML. Names in them come from anybody. */
import type { Mail } from './mailer.ts';

export interface MailLink {
  label: string;
  /** Instead of the label in plain text, where programs for e-mail turn addresses in it into links. */
  plain?: string;
  url: string;
}

/** A paragraph, a link on its own, or a list. */
export type MailPart = string | MailLink | readonly (string | MailLink)[];

const subjectChars = 200;
const nameChars = 80;

/** One line without control characters, cut to a length. */
export function oneLine(text: string, chars = nameChars): string {
  const characters = [...text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()];
  return characters.length > chars ? `${characters.slice(0, chars - 1).join('')}…` : characters.join('');
}

export function mailOf(subject: string, parts: readonly MailPart[]): Mail {
  return {
    subject: oneLine(subject, subjectChars),
    text: `${parts.map(textOf).join('\n\n')}\n`,
    html: `<!doctype html><html><body>${parts.map(htmlOf).join('')}</body></html>`,
  };
}

const isList = (part: MailPart): part is readonly (string | MailLink)[] => Array.isArray(part);

function textOf(part: MailPart): string {
  if (isList(part)) return part.map((item) => `- ${textOf(item)}`).join('\n');
  return typeof part === 'string' ? part : `${part.plain ?? part.label}: ${part.url}`;
}

function htmlOf(part: MailPart): string {
  return isList(part) ? `<ul>${part.map((item) => `<li>${inlineOf(item)}</li>`).join('')}</ul>` : `<p>${inlineOf(part)}</p>`;
}

const inlineOf = (part: string | MailLink): string =>
  typeof part === 'string' ? escaped(part) : `<a href="${escaped(part.url)}">${escaped(part.label)}</a>`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] as string);
