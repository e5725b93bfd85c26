import type { ReactNode } from 'react';
import { Button } from '../primitives/button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  title: string;
  /** Label of the confirming button, a verb. */
  action: string;
  /** The action is running and a click does nothing. The button stays enabled to keep the focus. */
  isBusy: boolean;
  /** The action is not possible yet. */
  isBlocked?: boolean;
  /** Why the action failed. */
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
