import { Fragment, useMemo } from 'react';
import { piecesOf } from '../../../shared/mentions.ts';
import { LongText } from './long-text.tsx';

/**
 * Untrusted text of a comment, with a chip for each mention of a member. The chip has the member's name, not the one in the text, which anybody
 * can write; a mention of somebody else is plain text.
 * @param names of members by their ids; null while they are not known
 */
export function CommentText({ text, names }: { text: string; names: ReadonlyMap<string, string> | null }) {
  const pieces = useMemo(() => piecesOf(text), [text]);
  if (!pieces.some((piece) => 'mention' in piece)) return <LongText text={text} />;
  return (
    <p className="wrap-anywhere whitespace-pre-wrap text-body text-fg">
      {pieces.map((piece, index) => {
        const key = `${index}`;
        if ('text' in piece) return <Fragment key={key}>{piece.text}</Fragment>;
        const name = names?.get(piece.mention.id);
        if (name === undefined) return <Fragment key={key}>{`@${piece.mention.name}`}</Fragment>;
        return (
          <span key={key} data-mention className="rounded-control bg-select px-1 text-accent">
            {`@${name}`}
          </span>
        );
      })}
    </p>
  );
}
