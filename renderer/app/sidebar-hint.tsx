import clsx from 'clsx';
import { useState } from 'react';
import { KeyCap } from '../ui/primitives/key-cap.tsx';

/** Name and key of the item under the pointer or with the focus, for a sidebar without labels. */
interface Hint {
  label: string;
  keys: string;
  top: number;
}

/** Event handlers that show the hint of an item. */
export type HintProps = (
  label: string,
  keys: string,
) => Record<'onPointerEnter' | 'onFocus', (event: { currentTarget: Element }) => void> & Record<'onPointerLeave' | 'onBlur', () => void>;

export function useSidebarHint() {
  const [shown, setShown] = useState<Hint | null>(null);
  const hint: HintProps = (label, keys) => {
    const show = ({ currentTarget }: { currentTarget: Element }) =>
      setShown({ label, keys, top: currentTarget.getBoundingClientRect().top });
    const hide = () => setShown(null);
    return { onPointerEnter: show, onPointerLeave: hide, onFocus: show, onBlur: hide };
  };
  return { shown, hint };
}

export const SidebarHint = ({ shown: { label, keys, top }, isFolded }: { shown: Hint; isFolded: boolean }) => (
  <span
    aria-hidden="true"
    style={{ top }}
    className={clsx(
      'pointer-events-none fixed left-rail z-30 ml-1 flex h-control items-center gap-2 rounded-control border border-line-2 bg-raised px-2 text-row shadow-layer',
      !isFolded && 'sidebar:hidden',
    )}
  >
    {label} {keys && <KeyCap>{keys}</KeyCap>}
  </span>
);
