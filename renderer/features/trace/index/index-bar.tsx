import { type RefObject, useMemo } from 'react';
import { count, duration } from '../../../model/text/format.ts';
import { milliseconds } from '../../../model/time/time.ts';
import { indexOfRow } from '../../../model/trace/span-rows.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import { SearchField } from '../../../ui/primitives/field.tsx';
import { KeyCap } from '../../../ui/primitives/key-cap.tsx';
import { Pill } from '../../../ui/primitives/pill.tsx';
import type { SpanViewMode } from '../../../ui/primitives/preferences.ts';
import { StepPill } from '../../../ui/primitives/step-pill.tsx';
import { errorsInWords } from '../header/trace-header.tsx';
import type { LoadedTrace } from '../page/trace-query.ts';
import type { ViewMode } from '../page/url.ts';
import { ViewChoice } from '../page/view-choice.tsx';
import { type Range, type TimeWindow, useNarrowed } from './time-window.ts';
import type { SpanList } from './use-span-list.ts';

interface BarProps {
  loaded: LoadedTrace;
  list: SpanList;
  viewMode: SpanViewMode;
  onViewMode: (viewMode: ViewMode) => void;
  views?: readonly ViewMode[];
  searchField: RefObject<HTMLInputElement | null>;
}

export function IndexBar({ loaded, list, viewMode, onViewMode, views, searchField }: BarProps) {
  return (
    <div className="@container shrink-0 border-line border-b">
      <div className="flex h-header items-center gap-2 px-pad">
        <SearchField
          ref={searchField}
          label="Search in trace"
          placeholder="Search"
          hint="/"
          className="flex-1"
          value={list.words}
          onChange={(event) => list.setWords(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              list.nextFound(event.shiftKey ? -1 : 1);
              // With the focus on the page, n and p move through the matches.
              event.currentTarget.blur();
            }
            if (event.key !== 'Escape') return;
            if (list.words !== '') list.setWords('');
            event.currentTarget.blur();
          }}
        />
        <ViewChoice viewMode={viewMode} onViewMode={onViewMode} {...(views && { views })} />
        {!list.isSearching && (
          <span className="flex shrink-0 gap-1.5 @max-bar:hidden">
            <JumpPills loaded={loaded} list={list} />
          </span>
        )}
        {list.isSearching && <Matches loaded={loaded} list={list} />}
      </div>
    </div>
  );
}

/** Jump targets, each with its count and key. */
function JumpPills({ loaded: { tree, facts }, list }: Pick<BarProps, 'loaded' | 'list'>) {
  const place = indexOfRow(tree.causes, list.selected);
  return (
    <>
      {tree.causes.length > 0 && (
        <StepPill
          tone="err"
          label="errors"
          place={place}
          count={tree.causes.length}
          hint="e"
          title={errorsInWords(tree.failedAt.length, tree.causes.length)}
          onStep={list.nextError}
        />
      )}
      <span className="flex gap-1.5 @max-roomy:hidden">
        {tree.size > 2 && (
          <Pill title="Go to the span with the most self time; click again for the next" onClick={() => list.nextRanked('time', 1)}>
            Slowest <KeyCap>s</KeyCap>
          </Pill>
        )}
        {facts.totals.cost > 0 && (
          <Pill title="Go to the span with the highest cost; click again for the next" onClick={() => list.nextRanked('cost', 1)}>
            Costliest <KeyCap>$</KeyCap>
          </Pill>
        )}
      </span>
    </>
  );
}

function Matches({ loaded: { tree }, list }: Pick<BarProps, 'loaded' | 'list'>) {
  const { places, state, searched } = list.found;
  const place = indexOfRow(places, list.selected);
  const progress = state === 'searching' ? `${Math.floor((searched / Math.max(1, tree.size)) * 100)} %` : null;
  const title = {
    searching: `Searched the contents of ${count(searched)} of ${count(tree.size)} spans so far`,
    done: `Searched names, models, messages, metadata and full payloads of all ${count(tree.size)} spans`,
    hidden: 'Searched names and models',
    failed: 'Only names and models were searched: searching the contents failed. Type again to retry.',
  }[state];
  return (
    <span aria-live="polite" className="flex shrink-0 items-center gap-1.5">
      {progress && <span className="text-fg-3 text-label tabular-nums">{progress}</span>}
      <StepPill
        tone={state === 'failed' ? 'warm' : 'plain'}
        label={places.length === 1 ? 'match' : 'matches'}
        place={place}
        count={places.length}
        hint="n"
        title={title}
        onStep={list.nextFound}
      />
    </span>
  );
}

/** Line about the selected time range, with a button to reset it. */
export function TimeRangeLine({ window, tree }: { window: TimeWindow; tree: SpanTree }) {
  const narrowed = useNarrowed(window);
  const inside = useMemo(() => (narrowed ? spansIn(tree, narrowed) : tree.size), [tree, narrowed]);
  if (!narrowed) return null;
  const at = (moment: number) => duration(milliseconds(moment));
  return (
    <div className="flex h-row shrink-0 items-center gap-2 border-line border-b bg-panel px-pad text-fg-2 text-label tabular-nums">
      <span className="truncate">
        {`${count(inside)} of ${count(tree.size)} spans ran between ${at(narrowed.from)} and ${at(narrowed.to)}`}
      </span>
      <button
        type="button"
        onClick={() => window.narrow(null)}
        className="ml-auto flex shrink-0 items-center gap-1 text-accent hover:text-fg"
      >
        Reset time range <KeyCap>0</KeyCap>
      </button>
    </div>
  );
}

function spansIn({ size, start, end }: SpanTree, { from, to }: Range): number {
  let spans = 0;
  for (let at = 0; at < size; at++) if ((end[at] as number) >= from && (start[at] as number) <= to) spans++;
  return spans;
}
