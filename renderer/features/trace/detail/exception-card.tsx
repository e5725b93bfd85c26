import { Fragment, useMemo, useState } from 'react';
import { plural } from '../../../model/text/format.ts';
import type { Exception } from '../../../model/trace/span-events.ts';
import { foldStack } from '../../../model/trace/stack-frames.ts';
import { Card } from '../../../ui/primitives/card.tsx';
import { CopyIcon } from '../../../ui/primitives/copy-button.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { FoldLine, LongText } from '../../../ui/viewers/long-text.tsx';

export function ExceptionCard({ exception: { type, message, stack }, after }: { exception: Exception; after?: string }) {
  return (
    <Card
      edge="err"
      head={
        <>
          <Text size="label" tone="err" cut>
            {type || 'Exception'}
          </Text>
          {after && (
            <Text size="label" tone="dim" className="num shrink-0 font-normal">
              {after}
            </Text>
          )}
        </>
      }
      actions={<CopyIcon text={() => [type, message, stack].filter(Boolean).join('\n')} label="Copy exception" />}
    >
      {message && <LongText text={message} mono />}
      {stack && (
        <div className={message ? 'mt-2 border-line border-t pt-2' : ''}>
          <Stack stack={stack} />
        </div>
      )}
    </Card>
  );
}

const linesMax = 60;

/** Stack trace with runs of library frames collapsed to a count, unless there are no other frames. */
function Stack({ stack }: { stack: string }) {
  const [isWhole, setWhole] = useState(false);
  const parts = useMemo(() => foldStack(stack), [stack]);
  const hasFolds =
    parts.some((part) => !part.isOwn && part.lines.length > 1) &&
    parts.some((part) => part.isOwn && part.lines.some((line) => line.trim() !== ''));
  if (isWhole || !hasFolds) return <LongText text={stack} mono dim={!isWhole && !hasFolds} />;
  return (
    <>
      {parts.map(({ isOwn, lines }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a stack have no identity but their position
        <Fragment key={i}>
          {isOwn || lines.length === 1 ? (
            <pre className={`wrap-anywhere whitespace-pre-wrap font-mono text-row ${isOwn ? '' : 'text-fg-3'}`}>
              {lines.slice(0, linesMax).join('\n')}
            </pre>
          ) : (
            <FoldLine onClick={() => setWhole(true)}>{`${plural(lines.length, 'library frame')} — show`}</FoldLine>
          )}
        </Fragment>
      ))}
    </>
  );
}
