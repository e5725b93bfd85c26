import clsx from 'clsx';
import { memo, useMemo } from 'react';
import type { SpanPreview } from '../../../../shared/contract/tracing/trace-outline.ts';
import { count, duration, plural } from '../../../model/text/format.ts';
import { milliseconds } from '../../../model/time/time.ts';
import type { Card } from '../../../model/trace/conversation.ts';
import { oneLine, spanPreview } from '../../../model/trace/span-preview.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import { spanMessages, type TranscriptLayout, toolCardOf } from '../../../model/trace/transcript.ts';
import { Highlight } from '../../../ui/primitives/highlight.tsx';
import { KindIcon } from '../../../ui/primitives/kind-icon.tsx';
import { MessageCard } from '../detail/message-card.tsx';
import { type SpanTexts, useSpanText } from '../detail/span-texts.ts';
import { Clamped, ClampedMessage } from './clamped.tsx';
import { InternalSpans } from './span-name.tsx';
import { inAndOut } from './span-numbers.tsx';

interface PartProps {
  tree: SpanTree;
  at: number;
  script: TranscriptLayout;
  texts: SpanTexts;
  words: string;
  isOn: boolean;
  isDim: boolean;
  isFolded: boolean;
  /** Number of steps of a framework that the row stands for, 0 for a single span. */
  internalSpans: number;
  onFold: (at: number, isFolded: boolean) => void;
  onSelect: (at: number) => void;
}

/** Part of the transcript for one span: a header line, then its messages. */
export const TranscriptPart = memo(function TranscriptPart(props: PartProps) {
  const { tree, at, script, isOn, isDim, onSelect } = props;
  const part = script.part(at);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the page handles the keys of the list (j, k, arrows), not the row
    <div
      id={`span-${tree.idAt(at)}`}
      role="treeitem"
      aria-level={(tree.depth[at] as number) + 1}
      aria-selected={isOn}
      aria-expanded={(tree.below[at] as number) > 0 || props.internalSpans > 0 ? !props.isFolded : undefined}
      tabIndex={-1}
      onClick={() => onSelect(at)}
      className={clsx(
        'pr-pad pl-[calc(var(--spacing-pad)+var(--indent)*var(--spacing-indent))] outline-none',
        part === 'agent' && 'pt-2',
        (part === 'talk' || part === 'tool') && 'py-1',
        isOn ? 'bg-select shadow-[inset_var(--spacing-edge)_0_var(--color-accent)]' : 'hover:bg-hover',
        isDim && !isOn && 'opacity-60',
      )}
    >
      {props.internalSpans > 0 ? <InternalLine {...props} /> : <Line {...props} />}
      {part === 'talk' && <TalkBody {...props} />}
      {part === 'tool' && <ToolBody {...props} />}
    </div>
  );
});

function Line({ tree, at, script, texts, words, isFolded, onFold }: PartProps) {
  const part = script.part(at);
  const isFailed = tree.isFailed(at);
  const name = tree.nameAt(at) || 'unnamed';
  const usage = {
    input_tokens: tree.own.input_tokens[at] as number,
    output_tokens: tree.own.output_tokens[at] as number,
    tokens: tree.own.tokens[at] as number,
  };
  const below = tree.below[at] as number;
  const nth = script.nthCall[at] as number;
  return (
    <div className="flex h-6 min-w-0 items-center gap-1.5">
      <KindIcon kind={tree.kindAt(at)} />
      <span
        title={name}
        className={clsx('min-w-0 truncate text-row', isFailed ? 'text-err' : part === 'line' ? 'text-fg-3' : 'font-medium text-fg')}
      >
        <Highlight text={name} query={words} />
        {nth > 0 && (
          <span title={`Call ${count(nth)} of this tool`} className="font-normal text-fg-3 tabular-nums">{` ${count(nth)}`}</span>
        )}
        {isFailed && <span className={part === 'tool' ? 'sr-only' : 'font-normal'}> failed</span>}
      </span>
      {(part === 'agent' || isFolded) && below > 0 && (
        <button
          type="button"
          tabIndex={-1}
          onClick={(event) => {
            event.stopPropagation();
            onFold(at, !isFolded);
          }}
          className="shrink-0 text-fg-3 text-label hover:text-fg"
        >
          {`${isFolded ? '▸' : '▾'} ${plural(below, 'span')}`}
        </button>
      )}
      {part === 'line' && <Preview texts={texts} id={tree.idAt(at)} words={words} />}
      <span className="ml-auto flex shrink-0 gap-3 text-fg-3 text-label tabular-nums">
        {part === 'talk' && <span>{inAndOut(usage)}</span>}
        {tree.isPending(at) ? <span className="text-ok">Running</span> : <span>{duration(milliseconds(tree.durationAt(at)))}</span>}
      </span>
    </div>
  );
}

const InternalLine = ({ tree, at, internalSpans, onFold }: PartProps) => (
  <button
    type="button"
    tabIndex={-1}
    onClick={(event) => {
      event.stopPropagation();
      onFold(at, false);
    }}
    className="flex h-6 min-w-0 items-center gap-1 text-fg-3 text-label hover:text-fg"
  >
    ▸ <InternalSpans tree={tree} at={at} times={internalSpans} />
  </button>
);

function Preview({ texts, id, words }: Pick<PartProps, 'texts' | 'words'> & { id: string }) {
  const text = useSpanText(texts, id);
  return (
    <span className="min-w-0 flex-1 truncate text-fg-3 text-label">{text && <Highlight text={spanPreview(text)} query={words} />}</span>
  );
}

function TalkBody({ tree, at, script, texts }: PartProps) {
  const span = useSpanText(texts, tree.idAt(at));
  const before = script.before[at] as number;
  const earlier = useSpanText(texts, before < 0 ? '' : tree.idAt(before));
  const talk = useMemo(() => span && spanMessages(span, earlier, script.hasTools), [span, earlier, script.hasTools]);
  if (!talk) return <TextPlaceholder />;
  return (
    <div className="grid gap-1.5 pb-1 pl-[calc(var(--spacing-kind)+var(--spacing)*1.5)]">
      {talk.input.map((card) => (
        <ConversationCard key={`input ${card.key}`} card={card} isInput />
      ))}
      {talk.output.map((card) => (
        <ConversationCard key={`output ${card.key}`} card={card} isInput={false} />
      ))}
      {talk.calledTools.length > 0 && <p className="text-fg-3 text-label">{`Calls ${talk.calledTools.join(', ')}`}</p>}
      {talk.output.length === 0 && talk.calledTools.length === 0 && (
        <p className={clsx('text-label', tree.isFailed(at) ? 'text-err' : 'text-fg-3')}>
          {tree.isPending(at) ? 'No response yet' : span?.status_message || 'No response was recorded on this span'}
        </p>
      )}
      <CutNote span={span} />
    </div>
  );
}

/** One card of the conversation. Texts are shortened; the detail shows them in full. Other cards look as in the detail. */
function ConversationCard({ card, isInput }: { card: Card; isInput: boolean }) {
  if (card.type === 'reasoning' || (card.type === 'text' && (card.role === 'system' || card.role === 'developer')))
    return (
      <p className="truncate text-fg-3 text-label">
        <span className="font-medium">{card.type === 'reasoning' ? 'reasoning ' : `${card.role} `}</span>
        {oneLine(card.text)}
      </p>
    );
  if (card.type !== 'text') return <MessageCard card={card} />;
  if (!isInput) return <ClampedMessage text={card.text} role={card.role} lines={8} />;
  return (
    <div className="border-line-2 border-l-2 pl-2">
      <p className="text-fg-3 text-label">{card.name ? `${card.role} ${card.name}` : card.role}</p>
      <ClampedMessage text={card.text} role={card.role} lines={4} tone="quiet" />
    </div>
  );
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Arguments with their names, such as `query: owls, limit: 3`. */
function asArguments(args: unknown): string {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return asText(args);
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${asText(value)}`)
    .join(', ');
}

function ToolBody({ tree, at, texts }: PartProps) {
  const span = useSpanText(texts, tree.idAt(at));
  const card = useMemo(() => span && toolCardOf(span), [span]);
  if (card?.type !== 'tool') return <TextPlaceholder />;
  const { args, result } = card;
  return (
    <div className="grid gap-1 pb-1 pl-[calc(var(--spacing-kind)+var(--spacing)*1.5)]">
      {args !== '' && args !== undefined && <Clamped text={asArguments(args)} lines={2} mono tone="dim" />}
      {result && (
        <div className={clsx('border-l-2 pl-2', result.isError ? 'border-err-line' : 'border-tool-line')}>
          <Clamped text={asText(result.value)} lines={4} mono tone={result.isError ? 'err' : 'quiet'} />
        </div>
      )}
      <CutNote span={span} />
    </div>
  );
}

/** The gateway shortens long fields for the transcript. */
const CutNote = ({ span }: { span: SpanPreview | undefined }) =>
  span?.truncated_fields?.some((field) => field === 'input' || field === 'output') ? (
    <p className="text-fg-3 text-label">Long texts are shortened here. The detail of the span shows them whole.</p>
  ) : null;

/** Placeholder while texts load. */
const TextPlaceholder = () => <div aria-hidden="true" className="h-row" />;
