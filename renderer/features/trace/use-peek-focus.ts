import { type RefObject, useCallback, useEffect, useRef } from 'react';

/**
 * A peek takes the keys once, when its spans are drawn: the row that was clicked would keep Enter to itself. When it is closed the
 * focus goes back to that row, which may stand elsewhere by then, unless it is somewhere else already.
 */
export function usePeekFocus(isPeek: boolean, tree: RefObject<HTMLElement | null>): () => void {
  const giveBack = useRef<(() => void) | null>(null);
  useEffect(
    () => () => {
      if (document.activeElement === document.body) giveBack.current?.();
    },
    [],
  );
  return useCallback(() => {
    if (!isPeek || giveBack.current) return;
    giveBack.current = backTo(document.activeElement);
    tree.current?.focus({ preventScroll: true });
  }, [isPeek, tree]);
}

/** Rows are drawn anew while traces arrive: a link is known by its address. */
function backTo(before: Element | null): () => void {
  const address = before instanceof HTMLAnchorElement ? before.href : null;
  return () => {
    const found = address === null ? before : [...document.links].find(({ href }) => href === address);
    if (found instanceof HTMLElement) found.focus({ preventScroll: true });
  };
}
