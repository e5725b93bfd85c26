import clsx from 'clsx';
import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';

interface PopupProps {
  /** What it is, for those who do not see it. */
  label: string;
  /** The button that opens it. */
  trigger: ReactNode;
  /** Its width and how its content is laid out. */
  className: string;
  /** Both, for a popup that its content closes. */
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  children: ReactNode;
}

/** A panel that hangs from a button until the reader looks elsewhere. */
export const Popup = ({ label, trigger, className, isOpen, onOpenChange, children }: PopupProps) => (
  <Popover.Root {...(isOpen === undefined ? {} : { open: isOpen })} {...(onOpenChange && { onOpenChange })}>
    <Popover.Trigger asChild>{trigger}</Popover.Trigger>
    <Popover.Portal>
      <Popover.Content
        align="end"
        sideOffset={4}
        collisionPadding={8}
        aria-label={label}
        className={clsx(
          'enter-layer z-30 max-h-(--radix-popover-content-available-height) overflow-y-auto',
          'rounded-card border border-line-2 bg-panel p-1 shadow-layer',
          className,
        )}
      >
        {children}
      </Popover.Content>
    </Popover.Portal>
  </Popover.Root>
);
