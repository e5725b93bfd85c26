import { useNavigate, useRouter } from '@tanstack/react-router';
import { useKeys } from '../../ui/keys.tsx';
import { useIsNarrow } from '../../ui/narrow.ts';

/** Esc closes the item that covers a narrow window, and without one leaves to where the reader came from. */
export function useBack(name: string, closeItem: (() => void) | null): void {
  const navigate = useNavigate();
  const { history } = useRouter();
  const isCovered = useIsNarrow() && closeItem !== null;
  const leave = () => (history.canGoBack() ? history.back() : void navigate({ to: '/experiments' }));
  // Before the list, which comes when its rows do.
  useKeys(name, [{ on: ['Escape'], label: 'Back', run: isCovered ? closeItem : leave }], { isFirst: true });
}
