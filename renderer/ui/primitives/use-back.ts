import { useNavigate, useRouter } from '@tanstack/react-router';
import { useKeys } from './keys.tsx';
import { useIsNarrow } from './narrow.ts';

type List = '/datasets' | '/experiments' | '/evals' | '/workers' | '/settings/alerts' | '/settings/environments';

/**
 * Esc closes what covers a narrow window, and else leaves the page of one thing to where the reader came from: without a past to its list.
 * Not for pages where something is being written, which would be lost.
 */
export function useBack(name: string, list: List, closeCover: (() => void) | null = null): void {
  const navigate = useNavigate();
  const { history } = useRouter();
  const isCovered = useIsNarrow() && closeCover !== null;
  const leave = () => (history.canGoBack() ? history.back() : void navigate({ to: list }));
  // Before the list, which comes when its rows do.
  useKeys(name, [{ on: ['Escape'], label: 'Back', run: isCovered ? closeCover : leave }], { isFirst: true });
}
