import { SpanDetail } from '../detail/span-detail.tsx';
import type { SpanList } from '../index/use-span-list.ts';
import type { LoadedTrace } from './trace-query.ts';
import { type TraceView, withTab } from './url.ts';

interface SelectedProps {
  loaded: LoadedTrace;
  list: SpanList;
  view: TraceView;
  onView: (change: Partial<TraceView>) => void;
  onClose: () => void;
}

/** Detail of the selected span. Its figures are shown at once; its texts are fetched by the detail. */
export function SelectedSpan({ loaded, list, view, onView, onClose }: SelectedProps) {
  return (
    <SpanDetail
      node={loaded.tree.node(list.selected)}
      loaded={loaded}
      tab={view.tab ?? 'messages'}
      comment={view.comment}
      onTab={(tab) => onView({ tab: withTab({}, tab).tab })}
      onReveal={(other) => list.reveal(other.order)}
      onClose={onClose}
    />
  );
}
