import type { Card as Said } from '../../model/conversation.ts';
import { count, plural } from '../../model/format.ts';
import { unquoted } from '../../model/messages.ts';
import { Card } from '../../ui/card.tsx';
import { CopyIcon } from '../../ui/copy-button.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { KindIcon } from '../../ui/kind-icon.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { PictureView } from '../../ui/picture-view.tsx';
import { Text } from '../../ui/text.tsx';

/** Instructions longer than this are known to the reader and folded at first. */
const instructionsMax = 600;

const Dim = ({ children }: { children: string }) => (
  <Text size="label" tone="dim" className="font-normal">
    {children}
  </Text>
);

export function MessageCard({ card }: { card: Said }) {
  const who = card.name && card.type !== 'tool' ? `${card.role} ${card.name}` : card.role;
  switch (card.type) {
    case 'text':
      return <Spoken who={who} role={card.role} text={card.text} />;
    case 'reasoning':
      return (
        <Card folds="shut" head={<Folded who={who} about={`reasoning, ${plural(card.text.length, 'character')}`} />}>
          <LongText text={card.text} dim />
        </Card>
      );
    case 'media':
      return (
        <Card head={<Folded who={who} about={card.media.mimeType || 'media'} />}>
          <PictureView {...card.media} />
        </Card>
      );
    case 'data':
      return (
        <Card head={who} actions={<CopyIcon text={() => JSON.stringify(card.value, null, 2)} label="Copy data" />}>
          <JsonView value={card.value} />
        </Card>
      );
    case 'tool':
      return <ToolCard card={card} />;
  }
}

const Folded = ({ who, about }: { who: string; about: string }) => (
  <>
    <span>{who}</span>
    <Dim>{about}</Dim>
  </>
);

/** Words are words, but a message that is one JSON document is read as one. */
function Spoken({ who, role, text }: { who: string; role: string; text: string }) {
  const value = unquoted(text);
  const isInstruction = role === 'system' || role === 'developer';
  const isLong = isInstruction && text.length > instructionsMax;
  return (
    <Card
      {...(isInstruction ? { folds: isLong ? ('shut' as const) : ('open' as const) } : {})}
      head={isInstruction ? <Folded who={who} about={`${count(text.length)} characters`} /> : who}
      actions={<CopyIcon text={() => text} label={`Copy ${role} message`} />}
    >
      {typeof value === 'object' && value !== null ? <JsonView value={value} /> : <LongText text={text} />}
    </Card>
  );
}

function Value({ value }: { value: unknown }) {
  return typeof value === 'object' && value !== null ? <JsonView value={value} open={3} /> : <LongText text={String(value ?? '')} mono />;
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** A call together with what came back; either may be missing. */
function ToolCard({ card }: { card: Extract<Said, { type: 'tool' }> }) {
  const { name, id, args, called, result } = card;
  const isFailed = result?.isError === true;
  const hasArgs = called && args !== undefined && args !== '';
  return (
    <Card
      edge={isFailed ? 'err' : 'tool'}
      head={
        <>
          <KindIcon kind="tool" />
          <span className="truncate">{name || 'tool'}</span>
          {isFailed && (
            <Text size="label" tone="err">
              failed
            </Text>
          )}
          {!called && <Dim>result of a call outside this conversation</Dim>}
          {id && <Dim>{id}</Dim>}
        </>
      }
      actions={
        <CopyIcon
          text={() => [hasArgs ? asText(args) : '', result ? asText(result.value) : ''].filter(Boolean).join('\n\n')}
          label="Copy call"
        />
      }
    >
      {hasArgs || result ? (
        <>
          {hasArgs && <Value value={args} />}
          {result && (
            <div className={`${hasArgs ? 'mt-2 border-line border-t pt-2' : ''} ${isFailed ? 'text-err' : ''}`}>
              {hasArgs && (
                <Text as="div" size="label" tone={isFailed ? 'err' : 'dim'}>
                  {isFailed ? 'error' : 'result'}
                </Text>
              )}
              <Value value={result.value} />
            </div>
          )}
        </>
      ) : null}
    </Card>
  );
}
