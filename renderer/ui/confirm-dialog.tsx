import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  title: string;
  /** The verb that does it. */
  action: string;
  /** It is being done: asked again, nothing happens. The button stays, and with it the place of the keyboard. */
  isBusy: boolean;
  /** It cannot be done yet. */
  isBlocked?: boolean;
  /** Why it was not done, when it was tried. */
  problem: string | null;
  onConfirm: () => void;
  onClose: () => void;
  /** What will happen, and what will not come back. */
  children: ReactNode;
}

/** Asks before what cannot be taken back. */
export const ConfirmDialog = ({ title, action, isBusy, isBlocked = false, problem, onConfirm, onClose, children }: ConfirmDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <div className="grid gap-3 text-body text-fg-2">
      {children}
      {problem && (
        <p role="alert" className="text-err text-row">
          {problem}
        </p>
      )}
      <div className="flex items-center gap-2">
        <Button primary disabled={isBlocked} aria-busy={isBusy} onClick={() => !isBusy && onConfirm()}>
          {action}
        </Button>
        <Button onClick={onClose}>Keep it</Button>
      </div>
    </div>
  </Dialog>
);
