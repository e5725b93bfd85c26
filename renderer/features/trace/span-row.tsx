import clsx from 'clsx';
import { cost, count, duration, percent, plural, tokens } from '../../model/format.ts';
import { spanPreview } from '../../model/span-preview.ts';
import type { SpanNode, Totals } from '../../model/span-tree.ts';
import { milliseconds } from '../../model/time.ts';
import { KindIcon } from '../../ui/kind-icon.tsx';
import { Marked } from '../../ui/marked.tsx';
import { Quantity } from '../../ui/quantity.tsx';

/** Deeper rows are not moved further in, but say how deep they are: a name must keep room. */
const indentsMax = 10;

export const inAndOut = ({ input_tokens, output_tokens, tokens: all }: Totals) => {
  if (input_tokens + output_tokens > 0) return `${tokens(input_tokens)} → ${tokens(output_tokens)}`;
  return all > 0 ? tokens(all) : null;
};

interface SpanRowProps {
  node: SpanNode;
  isFolded: boolean;
  isOn: boolean;
  isHot: boolean;
  hotShare: number;
  words: string;
  start: number;
  onFold: () => void;
  onSelect: () => void;
}

export function SpanRow({ node, isFolded, isOn, isHot, hotShare, words, start, onFold, onSelect }: SpanRowProps) {
  const { span, depth, children } = node;
  const hasChildren = children.length > 0;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the list are the page's (j, k, arrows), not the row's
    <div
      id={`span-${span.id}`}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isOn}
      aria-expanded={hasChildren ? !isFolded : undefined}
      tabIndex={-1}
      onClick={onSelect}
      className={clsx(
        'absolute inset-x-0 top-0 grid h-row grid-cols-[minmax(0,1fr)_var(--width-duration)_var(--width-tokens)_var(--width-cost)] @max-tight:grid-cols-[minmax(0,1fr)_var(--width-duration)_var(--width-cost)] items-center gap-x-2 pr-pad outline-none hover:bg-hover',
        isOn && 'bg-select shadow-[inset_var(--spacing-edge)_0_var(--color-accent)]',
      )}
      style={{ transform: `translateY(${start}px)` }}
    >
      <div
        className="flex min-w-0 items-center gap-1.5 overflow-hidden pl-[calc(var(--spacing)*2+var(--depth)*var(--spacing-indent))]"
        style={{ '--depth': Math.min(depth, indentsMax) } as React.CSSProperties}
      >
        <FoldMark hasChildren={hasChildren} isFolded={isFolded} onFold={onFold} />
        {depth > indentsMax && <span className="shrink-0 text-fg-3 text-key">{depth}</span>}
        <KindIcon kind={span.span_kind} />
        <Words node={node} words={words} isFolded={isFolded} />
      </div>
      <Quantity
        value={duration(milliseconds(span.duration_ms))}
        hot={isHot}
        title={isHot ? `${duration(node.self)} of its own, ${percent(hotShare)} of the run` : undefined}
      />
      <div className="@max-tight:hidden">
        <Tokens node={node} />
      </div>
      <Cost node={node} />
    </div>
  );
}

function FoldMark({ hasChildren, isFolded, onFold }: { hasChildren: boolean; isFolded: boolean; onFold: () => void }) {
  if (!hasChildren) return <span className="w-3 shrink-0" />;
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={isFolded ? 'Unfold' : 'Fold'}
      onClick={(event) => {
        event.stopPropagation();
        onFold();
      }}
      className="h-row w-3 shrink-0 text-center text-fg-3 text-key hover:text-fg"
    >
      {isFolded ? '▸' : '▾'}
    </button>
  );
}

const detachedWhy = {
  orphan: 'Its parent has not arrived, so it stands at the top',
  cycle: 'Its parents form a ring, which is cut here',
};

function Words({ node, words, isFolded }: { node: SpanNode; words: string; isFolded: boolean }) {
  const { span, below, detached, totals } = node;
  const isFailed = span.status === 'ERROR';
  const preview = spanPreview(span);
  return (
    <>
      <span title={span.name} className={clsx('min-w-0 truncate text-row', isFailed ? 'text-err' : 'text-fg')}>
        <Marked text={span.name || 'unnamed'} words={words} />
        {isFailed && <span className="sr-only"> failed</span>}
      </span>
      {detached && (
        <span title={detachedWhy[detached]} className="shrink-0 text-label text-warm">
          {detached}
        </span>
      )}
      {isFolded && (
        <span className={clsx('shrink-0 text-label', totals.errors > (isFailed ? 1 : 0) ? 'text-err' : 'text-fg-3')}>
          {`+${count(below)}`}
          {totals.errors > (isFailed ? 1 : 0) && `, ${plural(totals.errors - (isFailed ? 1 : 0), 'error')}`}
        </span>
      )}
      {/* Takes only the room that the name leaves. */}
      <span className="min-w-0 flex-1 basis-0 truncate text-fg-3 text-label">
        <Marked text={preview} words={words} />
      </span>
    </>
  );
}

const noTokens = 'The sender reported no token counts';

function Tokens({ node: { span, totals, below } }: { node: SpanNode }) {
  const value = span.span_kind === 'embedding' && totals.input_tokens > 0 ? tokens(totals.input_tokens) : inAndOut(totals);
  if (value === null && span.span_kind !== 'llm') return <span />;
  const exact = `${count(totals.input_tokens)} in, ${count(totals.output_tokens)} out`;
  return <Quantity value={value} unknown={noTokens} title={below > 0 ? `${exact}, with all spans below` : exact} />;
}

function Cost({ node: { span, totals } }: { node: SpanNode }) {
  if (totals.tokens === 0 && totals.cost === 0) return span.span_kind === 'llm' ? <Quantity value={null} unknown={noTokens} /> : <span />;
  if (totals.cost === 0 && totals.unpriced > 0)
    return <Quantity value={null} unknown={`No price is known for ${span.model ?? 'its model'}`} />;
  const missing = totals.unpriced > 0 ? `At least: ${plural(totals.unpriced, 'call')} without a known price` : undefined;
  return <Quantity value={`${missing ? '≥' : ''}${cost(totals.cost)}`} title={missing} />;
}
