/**
 * Mentions in the text of a comment: `@[Maya Lindqvist](user:5f0c…)`. The name is what the author saw, so that the text stays readable where
 * nobody knows the id any more; the id decides who is meant. See docs/reference/records.md#mentions.
 */

/** A person, with the name to write. */
export interface Mentioned {
  id: string;
  name: string;
}

/** Somebody who can be mentioned. */
export interface Mentionable extends Mentioned {
  email: string;
}

/** A piece of a comment: plain text, or a mention. */
export type CommentPiece = { text: string } | { mention: Mentioned };

const pattern = /@\[([^[\]\n]{1,200})\]\(user:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\)/g;

/** The text in pieces, in order. Joined, they are the whole text. */
export function piecesOf(body: string): CommentPiece[] {
  const pieces: CommentPiece[] = [];
  let end = 0;
  for (const match of body.matchAll(pattern)) {
    if (match.index > end) pieces.push({ text: body.slice(end, match.index) });
    pieces.push({ mention: { name: match[1] ?? '', id: match[2] ?? '' } });
    end = match.index + match[0].length;
  }
  if (end < body.length) pieces.push({ text: body.slice(end) });
  return pieces;
}

/** Ids of the people a comment mentions, each once. Whether they exist is not known here. */
export const mentionedIds = (body: string): string[] => [
  ...new Set(piecesOf(body).flatMap((piece) => ('mention' in piece ? [piece.mention.id] : []))),
];

/** The name without the characters that a mention cannot contain. */
export const mentionName = (name: string): string =>
  name
    .replace(/[[\]\s]+/g, ' ')
    .trim()
    .slice(0, 200);

/** Members with the names to write after `@`: the address of those whose name is also the name or the address of somebody else. */
export function mentionablesOf(members: readonly { id: string; name: string | null; email: string }[]): Mentionable[] {
  const known = new Map<string, number>();
  for (const { name, email } of members)
    for (const text of new Set([name ?? '', email].map((each) => mentionName(each).toLowerCase())))
      known.set(text, (known.get(text) ?? 0) + 1);
  return members.map(({ id, name, email }) => {
    const own = mentionName(name ?? '');
    return { id, email, name: own !== '' && known.get(own.toLowerCase()) === 1 ? own : mentionName(email) };
  });
}

/**
 * What a person typed, with each `@name` of somebody they picked as a mention. The longest name first: Ann Lee may be there beside Ann. Nor is
 * Ann meant in `@Ann-Marie` or `@ann@acme.test`.
 * @param picked with names as `mentionName` writes them
 */
export function withMentions(typed: string, picked: readonly Mentioned[]): string {
  const byName = new Map(picked.map((person) => [person.name, person]));
  const names = [...byName.keys()].sort((a, b) => b.length - a.length);
  if (names.length === 0) return typed;
  const anyName = new RegExp(`(?<![\\p{L}\\p{N}])@(${names.map(escaped).join('|')})(?![\\p{L}\\p{N}_]|[-@][\\p{L}\\p{N}])`, 'gu');
  return typed.replace(anyName, (whole, name: string) => {
    const person = byName.get(name);
    return person ? `@[${person.name}](user:${person.id})` : whole;
  });
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** The text as a person reads it, for one line. */
export const readableText = (body: string): string =>
  piecesOf(body)
    .map((piece) => ('mention' in piece ? `@${piece.mention.name}` : piece.text))
    .join('');
