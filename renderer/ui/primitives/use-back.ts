import { useNavigate, useRouter } from '@tanstack/react-router';
import { useKeys } from './keys.tsx';
import { useIsNarrow } from './narrow.ts';

type List = '/traces' | '/datasets' | '/experiments' | '/evals' | '/workers' | '/alerts' | '/settings/environments';

/**
 * Esc closes a layer that covers a narrow window; otherwise it leaves a detail page for the previous page, or for its list if there is none.
 * Not for pages with unsaved input, which would be lost.
 */
export function useBack(name: string, list: List, closeCover: (() => void) | null = null): void {
  const navigate = useNavigate();
  const { history } = useRouter();
  const isCovered = useIsNarrow() && closeCover !== null;
  const leave = () => (history.canGoBack() ? history.back() : void navigate({ to: list }));
  // Has priority over the list, which registers its keys later, with its rows.
  useKeys(name, [{ on: ['Escape'], label: 'Back', run: isCovered ? closeCover : leave }], { isFirst: true });
}
