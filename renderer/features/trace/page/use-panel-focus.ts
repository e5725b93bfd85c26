import { type RefObject, useCallback, useEffect, useRef } from 'react';

/**
 * Moves the focus into the side panel once, when its spans are drawn: the clicked row would handle Enter itself. On close the focus
 * returns to that row, unless the user has moved it.
 */
export function usePanelFocus(isPanel: boolean, tree: RefObject<HTMLElement | null>): () => void {
  const giveBack = useRef<(() => void) | null>(null);
  useEffect(
    () => () => {
      if (document.activeElement === document.body) giveBack.current?.();
    },
    [],
  );
  return useCallback(() => {
    if (!isPanel || giveBack.current) return;
    giveBack.current = backTo(document.activeElement);
    tree.current?.focus({ preventScroll: true });
  }, [isPanel, tree]);
}

/** Rows are redrawn while traces arrive, so a link is found by its address. */
function backTo(before: Element | null): () => void {
  const address = before instanceof HTMLAnchorElement ? before.href : null;
  return () => {
    const found = address === null ? before : [...document.links].find(({ href }) => href === address);
    if (found instanceof HTMLElement) found.focus({ preventScroll: true });
  };
}
