import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { isField } from '../../../ui/primitives/keys.tsx';

/**
 * Moves the focus into the side panel once its spans are rendered; otherwise the clicked row would still handle Enter. On close the focus
 * returns to that row, unless the user has moved it. A field keeps the focus: what is typed there would become commands.
 */
export function usePanelFocus(isPanel: boolean, tree: RefObject<HTMLElement | null>): () => void {
  const restoreFocus = useRef<(() => void) | null>(null);
  useEffect(
    () => () => {
      if (document.activeElement === document.body) restoreFocus.current?.();
    },
    [],
  );
  return useCallback(() => {
    if (!isPanel || restoreFocus.current || isField(document.activeElement)) return;
    restoreFocus.current = focusRestorer(document.activeElement);
    tree.current?.focus({ preventScroll: true });
  }, [isPanel, tree]);
}

/** Rows are rendered again while traces arrive, so a link is found by its address. */
function focusRestorer(before: Element | null): () => void {
  const address = before instanceof HTMLAnchorElement ? before.href : null;
  return () => {
    const found = address === null ? before : [...document.links].find(({ href }) => href === address);
    if (found instanceof HTMLElement) found.focus({ preventScroll: true });
  };
}
