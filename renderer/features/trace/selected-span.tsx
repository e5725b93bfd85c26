import { SpanNode } from '../../model/span-node.ts';
import { SpanDetail } from './span-detail.tsx';
import { type LoadedTrace, useRested, useWholeSpan } from './trace-query.ts';
import { type TraceView, withTab } from './url.ts';
import type { SpanList } from './use-span-list.ts';

interface SelectedProps {
  loaded: LoadedTrace;
  list: SpanList;
  view: TraceView;
  onView: (change: Partial<TraceView>) => void;
  onClose: () => void;
}

/** The span that is read: its numbers at once, its texts as soon as the reader stays on it. */
export function SelectedSpan({ loaded, list, view, onView, onClose }: SelectedProps) {
  const node = loaded.tree.node(list.selected);
  const isRested = useRested(node.id) !== undefined;
  const { whole } = useWholeSpan(node.span, isRested);
  return (
    <SpanDetail
      node={whole === node.span ? node : new SpanNode(node.tree, node.order, whole)}
      loaded={loaded}
      tab={view.tab ?? 'messages'}
      onTab={(tab) => onView({ tab: withTab({}, tab).tab })}
      onReveal={(other) => list.reveal(other?.order)}
      onClose={onClose}
    />
  );
}
