import { useEffect, useRef, useState } from 'react';
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import type { SpanList } from '../index/use-span-list.ts';

/** In follow mode the span that started last is selected. */
export function useFollowing(tree: SpanTree, list: SpanList) {
  const [isFollowing, setFollowing] = useState(false);
  const reveal = useRef(list.reveal);
  useEffect(() => {
    reveal.current = list.reveal;
  });
  useEffect(() => {
    if (isFollowing) reveal.current(tree.readAt[tree.size - 1]);
  }, [isFollowing, tree]);
  return [isFollowing, setFollowing] as const;
}
