import clsx from 'clsx';
import type { CSSProperties } from 'react';
import { count, plural } from '../../../model/text/format.ts';
import { spanPreview } from '../../../model/trace/span-preview.ts';
import { Highlight } from '../../../ui/primitives/highlight.tsx';
import { KindIcon } from '../../../ui/primitives/kind-icon.tsx';
import { useSpanText } from '../detail/span-texts.ts';
import type { SpanRowProps } from './span-row.tsx';

/** Deeper rows are not indented further, to leave room for the name; they show their depth as a number. */
const indentsMax = 10;

const detachedWhy = {
  orphan: 'Its parent has not arrived, so it is shown as a root',
  cycle: 'Its ancestors form a cycle, which is cut here',
};

/** Indent, expand button, kind, name and one-line preview of a span. */
export function SpanName({ tree, at, texts, isFolded, times, isInternal, words, onFold, bare }: SpanRowProps & { bare?: boolean }) {
  const depth = tree.depth[at] as number;
  const isFailed = tree.isFailed(at);
  const name = tree.nameAt(at) || 'unnamed';
  const { detached } = tree.node(at);
  return (
    <div
      className="flex min-w-0 items-center gap-1.5 overflow-hidden pl-[calc(var(--spacing)*2+var(--depth)*var(--spacing-indent))]"
      style={{ '--depth': Math.min(depth, indentsMax) } as CSSProperties}
    >
      <ExpandButton hasChildren={(tree.below[at] as number) > 0 || times > 0} isFolded={isFolded} onFold={() => onFold(at, !isFolded)} />
      {depth > indentsMax && <span className="shrink-0 text-fg-3 text-key">{depth}</span>}
      {isInternal ? (
        <InternalSpans tree={tree} at={at} times={times} />
      ) : (
        <>
          <KindIcon kind={tree.kindAt(at)} />
          <span title={name} className={clsx('min-w-0 truncate text-row', isFailed ? 'text-err' : 'text-fg')}>
            <Highlight text={name} query={words} />
            {isFailed && <span className="sr-only"> failed</span>}
          </span>
          {detached && (
            <span title={detachedWhy[detached]} className="shrink-0 text-label text-warm">
              {detached}
            </span>
          )}
          {times > 0 && (
            <span
              title="The same step several times in a row; expand to see each"
              className="shrink-0 text-fg-3 text-row tabular-nums"
            >{`×${count(times)}`}</span>
          )}
          {isFolded && times === 0 && (
            <HiddenSpans below={tree.below[at] as number} errors={(tree.failures[at] as number) - (isFailed ? 1 : 0)} />
          )}
          {!bare && <Preview texts={texts} id={tree.idAt(at)} words={words} />}
        </>
      )}
    </div>
  );
}

const namesShown = 12;

/** Name of a row that stands for steps of a framework. */
export function InternalSpans({ tree, at, times }: Pick<SpanRowProps, 'tree' | 'at' | 'times'>) {
  const names = [...new Set(Array.from({ length: Math.min(times, 1000) }, (_, i) => tree.nameAt(at + i) || 'unnamed'))];
  const more = names.length > namesShown ? ', …' : '';
  return (
    <span
      title={`Steps of the framework or of the instrumentation itself: ${names.slice(0, namesShown).join(', ')}${more}`}
      className="truncate text-fg-3 text-label"
    >
      {plural(times, 'internal span')}
    </span>
  );
}

function Preview({ texts, id, words }: { texts: SpanRowProps['texts']; id: string; words: string }) {
  const text = useSpanText(texts, id);
  return (
    // Takes only the space that the name leaves.
    <span className="min-w-0 flex-1 basis-0 truncate text-fg-3 text-label">
      {text && <Highlight text={spanPreview(text)} query={words} />}
    </span>
  );
}

const HiddenSpans = ({ below, errors }: { below: number; errors: number }) => (
  <span className={clsx('shrink-0 text-label', errors > 0 ? 'text-err' : 'text-fg-3')}>
    {`+${count(below)}`}
    {errors > 0 && `, ${plural(errors, 'error')}`}
  </span>
);

function ExpandButton({ hasChildren, isFolded, onFold }: { hasChildren: boolean; isFolded: boolean; onFold: () => void }) {
  if (!hasChildren) return <span className="w-3 shrink-0" />;
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={isFolded ? 'Expand' : 'Collapse'}
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
