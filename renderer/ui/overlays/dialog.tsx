import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { IconButton } from '../primitives/button.tsx';
import { Icon } from '../primitives/icon.tsx';
import { Text } from '../primitives/text.tsx';

/** A modal dialog, open while it is rendered. Escape and the cross close it. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
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
