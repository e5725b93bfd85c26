import type { ReactNode } from 'react';
import { Button } from '../primitives/button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  title: string;
  /** The verb that does it. */
  action: string;
  /** Running: a click does nothing. The button stays, and keeps the focus. */
  isBusy: boolean;
  /** Not possible yet. */
  isBlocked?: boolean;
  /** Why it was not done, when it was tried. */
  problem: string | null;
  onConfirm: () => void;
  onClose: () => void;
  /** Consequences of the action. */
  children: ReactNode;
}

/** Confirmation of an irreversible action. */
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
