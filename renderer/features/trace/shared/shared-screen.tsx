/** A trace for whoever has a link to it: without navigation, sign-in, or a way to other traces. */
import { useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { asFailure, isNotFound } from '../../../api/failure.ts';
import { hiddenInWords } from '../../../api/share-links.ts';
import { exactly, when } from '../../../model/time/time.ts';
import { EmptyState } from '../../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../../ui/primitives/failed-state.tsx';
import { Mark } from '../../../ui/primitives/mark.tsx';
import { useIsNarrow } from '../../../ui/primitives/narrow.ts';
import { preference, type SpanViewMode, usePreference } from '../../../ui/primitives/preferences.ts';
import { Split } from '../../../ui/primitives/split.tsx';
import { StatusIcon } from '../../../ui/primitives/status-icon.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { SpanTexts } from '../detail/span-texts.ts';
import { TraceFactsLine } from '../header/trace-facts-line.tsx';
import { OverviewStrip } from '../index/overview-strip.tsx';
import { SpanIndex } from '../index/span-index.tsx';
import { useSpanList } from '../index/use-span-list.ts';
import { useTimeWindow } from '../index/use-time-window.ts';
import { useTraceKeys } from '../page/trace-keys.ts';
import { TraceSkeleton } from '../page/trace-skeleton.tsx';
import type { ViewMode } from '../page/url.ts';
import { readSharedSpans, type SharedLink, useSharedTrace } from './shared-query.ts';
import { SharedSpan } from './shared-span.tsx';

/** Views that need nothing but the outline and the texts. */
const sharedViews: readonly ViewMode[] = ['transcript', 'tree', 'timeline'];
const isSharedView = (view: ViewMode): view is SpanViewMode => sharedViews.includes(view);

export function SharedScreen({ token }: { token: string }) {
  const shared = useSharedTrace(token);
  return (
    <main className="flex h-full min-w-0 flex-col">
      {shared.data ? (
        <Shared token={token} link={shared.data} />
      ) : !shared.isError ? (
        <TraceSkeleton />
      ) : isNotFound(shared.error) ? (
        <EmptyState isPage title="This link does not work">
          It may have expired or been revoked, or the trace was deleted. Ask whoever sent it for another one.
        </EmptyState>
      ) : (
        <FailedState isPage failure={asFailure(shared.error, 'The trace could not be loaded')} onRetry={() => void shared.refetch()} />
      )}
    </main>
  );
}

function Shared({ token, link }: { token: string; link: SharedLink }) {
  const { loaded } = link;
  const { tree } = loaded;
  const texts = useMemo(() => new SpanTexts(tree.outline.id, readSharedSpans(token)), [tree, token]);
  const problem = useSyncExternalStore(texts.watch, texts.problem);
  const [span, setSpan] = useState<string>();
  const [words, setWords] = useState('');
  const window = useTimeWindow(tree, undefined, () => {});
  const [saved, saveView] = usePreference(loaded.isAgentRun ? preference.agentView : preference.traceView);
  const viewMode = isSharedView(saved) ? saved : 'tree';
  const setViewMode = (view: ViewMode) => isSharedView(view) && saveView(view);
  const list = useSpanList(tree, { span, words, onSpan: setSpan, onWords: setWords, viewMode, isTextHidden: true });
  const isNarrow = useIsNarrow();
  const [isOpen, setOpen] = useState(false);
  const searchField = useRef<HTMLInputElement>(null);
  const treeRef = useRef<HTMLDivElement>(null);
  useTraceKeys(list, window, {
    search: () => searchField.current?.focus(),
    open: () => setOpen(true),
    back: () => isNarrow && setOpen(false),
    ...{ setViewMode, follow: () => {}, newWindow: () => {} },
    move: () => treeRef.current?.focus({ preventScroll: true }),
  });
  return (
    <>
      <SharedHeader link={link} />
      <TraceFactsLine loaded={loaded} isCostHidden={link.hides.costs} />
      {problem && (
        <p role="alert" className="px-pad py-1 text-err text-row">
          {`Texts of some spans could not be loaded: ${problem}. Scroll to try again.`}
        </p>
      )}
      <OverviewStrip loaded={loaded} window={window} selected={list.selected} onSelect={list.reveal} />
      <Split
        isDetailWanted={isOpen}
        width={viewMode === 'timeline' ? preference.timelineWidth : preference.indexWidth}
        index={
          <SpanIndex
            {...{ loaded, list, texts, window, viewMode, searchField, treeRef }}
            views={sharedViews}
            onViewMode={setViewMode}
            onOpen={() => setOpen(true)}
            onRendered={() => {}}
          />
        }
        detail={tree.size > 0 && <SharedSpan token={token} link={link} node={tree.node(list.selected)} onClose={() => setOpen(false)} />}
      />
    </>
  );
}

function SharedHeader({ link: { loaded, tenant_name, expires_at, hides } }: { link: SharedLink }) {
  const { name, start, status } = loaded.trace;
  return (
    <header className="flex h-header shrink-0 items-center gap-2 border-line border-b px-pad">
      <title>{`${name || 'unnamed'} · Glasshouse`}</title>
      <Mark />
      <Text as="h1" size="title" strong cut title={name}>
        {name || 'unnamed'}
      </Text>
      <Text tone="dim" className="shrink-0 tabular-nums max-split:hidden" title={exactly(start)}>
        {when(start)}
      </Text>
      {status !== 'UNSET' && <StatusIcon status={status} />}
      <span className="flex-1" />
      <Text tone="dim" cut title={`Hidden: ${hiddenInWords(hides)}. The link works until ${exactly(expires_at)}.`}>
        {`Shared by ${tenant_name}, until ${when(expires_at)}`}
      </Text>
    </header>
  );
}
