import { X } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { IconButton } from '../primitives/button.tsx';
import { Icon } from '../primitives/icon.tsx';
import { SkeletonLine } from '../primitives/skeleton.tsx';
import { Text } from '../primitives/text.tsx';

/** Shows a dialog as modal in the same step in which it is rendered: a key pressed in between would be one of the page. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    // React focuses it before the dialog is shown, when it cannot be focused yet, and sets no attribute that the browser would heed.
    dialog.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, []);
  return dialog;
}

/** A modal dialog, open while it is rendered. Escape and the cross close it. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const dialog = useModal();
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={onClose}
      className="enter-layer m-auto w-sheet max-w-full rounded-card border border-line-2 bg-panel p-4 text-fg shadow-layer"
    >
      <header className="flex items-start justify-between gap-3 pb-3">
        <Text as="h2" size="section" strong className="wrap-anywhere">
          {title}
        </Text>
        <IconButton label="Close" onClick={() => dialog.current?.close()}>
          <Icon of={X} />
        </IconButton>
      </header>
      {children}
    </dialog>
  );
}

/** In place of a dialog whose code is loading. */
export const WaitingDialog = ({ label, onClose }: { label: string; onClose: () => void }) => (
  <dialog
    ref={useModal()}
    aria-label={label}
    onClose={onClose}
    className="after-a-moment m-auto w-sheet max-w-full rounded-card border border-line-2 bg-panel p-4 text-fg shadow-layer"
  >
    <SkeletonLine wide />
  </dialog>
);
