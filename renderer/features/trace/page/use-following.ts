import { useEffect, useRef, useState } from 'react';
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import type { SpanList } from '../index/use-span-list.ts';

/** In follow mode the span that started last is selected. */
export function useFollowing(tree: SpanTree, list: SpanList) {
  const [isFollowing, setFollowing] = useState(false);
  const follow = useRef(list.follow);
  useEffect(() => {
    follow.current = list.follow;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows again when spans have arrived
  useEffect(() => {
    if (isFollowing) follow.current();
  }, [isFollowing, tree]);
  return [isFollowing, setFollowing] as const;
}
