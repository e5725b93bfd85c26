import { SquareArrowOutUpRight } from 'lucide-react';
import { duration } from '../../../model/text/format.ts';
import { milliseconds } from '../../../model/time/time.ts';
import type { Card as ConversationCard, ToolResult } from '../../../model/trace/conversation.ts';
import { isMedia, readMedia } from '../../../model/trace/media.ts';
import { readPayload, unwrapArgument } from '../../../model/trace/payload.ts';
import { Card } from '../../../ui/primitives/card.tsx';
import { CopyIcon } from '../../../ui/primitives/copy-button.tsx';
import { Icon } from '../../../ui/primitives/icon.tsx';
import { KindIcon } from '../../../ui/primitives/kind-icon.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { JsonView } from '../../../ui/viewers/json-view.tsx';
import { LongText } from '../../../ui/viewers/long-text.tsx';
import { MessageMedia } from './message-media.tsx';
import { useToolLinks } from './tool-links.tsx';

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

const isEmptyObject = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0;
const isList = (value: unknown): value is unknown[] => Array.isArray(value);

/** Whether a result is a list of text and media parts, as MCP and the AI SDK write it. */
function isParts(value: unknown): value is { type: string; text?: unknown }[] {
  return isList(value) && value.length > 0 && value.every((part) => isMedia(part) || (part as { type?: unknown } | null)?.type === 'text');
}

/** An argument or a result: text, media or JSON. */
function Value({ value }: { value: unknown }) {
  const inner = typeof value === 'object' && value !== null && !isList(value) && isParts((value as { content?: unknown }).content);
  const parts = inner ? (value as { content: unknown }).content : value;
  if (isMedia(parts)) return <MessageMedia part={readMedia(parts)} />;
  if (isParts(parts))
    return parts.map((part, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their position
      <div key={i} className="py-0.5">
        {part.type === 'text' ? <LongText text={String(part.text ?? '')} mono /> : <MessageMedia part={readMedia({ ...part })} />}
      </div>
    ));
  return typeof value === 'object' && value !== null ? <JsonView value={value} open={3} /> : <LongText text={String(value ?? '')} mono />;
}

/** Result of a call as recorded on the span that ran it. */
function resultOf(span: ReturnType<ReturnType<typeof useToolLinks>['spanOf']>): ToolResult | null {
  if (!span) return null;
  if (span.status === 'ERROR' && span.status_message) return { value: span.status_message, isError: true };
  const payload = unwrapArgument(readPayload(span.output));
  const value = payload.form === 'json' ? payload.value : payload.form === 'text' ? payload.text : undefined;
  return value === undefined ? null : { value, isError: span.status === 'ERROR' };
}

/** Tool call with its result; either may be missing. A result that the conversation lacks is taken from the span that ran the call. */
export function ToolCard({ card }: { card: Extract<ConversationCard, { type: 'tool' }> }) {
  const { name, id, args, called } = card;
  const { spanOf, onOpen } = useToolLinks();
  const span = id ? spanOf(id) : undefined;
  const result = card.result ?? (called ? resultOf(span) : null);
  const isFailed = result?.isError === true || span?.status === 'ERROR';
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
              Failed
            </Text>
          )}
          <Dim>
            {[span && duration(milliseconds(span.duration_ms)), !called && 'result of a call outside this conversation', id]
              .filter(Boolean)
              .join('  ')}
          </Dim>
        </>
      }
      actions={
        <>
          {span && (
            <button
              type="button"
              onClick={() => onOpen(span.id)}
              className="flex h-control shrink-0 items-center gap-1 rounded-control px-1.5 text-fg-3 text-label hover:bg-hover hover:text-fg"
            >
              <Icon of={SquareArrowOutUpRight} size="small" />
              Open span
            </button>
          )}
          <CopyIcon
            text={() => [hasArgs ? asText(args) : '', result ? asText(result.value) : ''].filter(Boolean).join('\n\n')}
            label="Copy call"
          />
        </>
      }
    >
      {hasArgs || result ? (
        <>
          {hasArgs && (isEmptyObject(args) ? <Text tone="dim">No arguments</Text> : <Value value={args} />)}
          {result && <Result result={result} isBelow={hasArgs} origin={card.result ? null : 'from its span'} />}
        </>
      ) : null}
    </Card>
  );
}

const Dim = ({ children }: { children: string }) => (
  <Text size="label" tone="dim" cut className="whitespace-pre font-normal">
    {children}
  </Text>
);

function Result({ result, isBelow, origin }: { result: ToolResult; isBelow: boolean; origin: string | null }) {
  return (
    <div className={`${isBelow ? 'mt-2 border-line border-t pt-2' : ''} ${result.isError ? 'text-err' : ''}`}>
      {isBelow && (
        <Text as="div" size="label" tone={result.isError ? 'err' : 'dim'}>
          {[result.isError ? 'Error' : 'Result', origin].filter(Boolean).join(' ')}
        </Text>
      )}
      <Value value={result.value} />
    </div>
  );
}
