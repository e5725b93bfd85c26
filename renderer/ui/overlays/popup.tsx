import clsx from 'clsx';
import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';

interface PopupProps {
  /** Accessible name. */
  label: string;
  /** The button that opens it. */
  trigger: ReactNode;
  /** Its width and layout. */
  className: string;
  /** Both are set for a popup that its content closes. */
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  children: ReactNode;
}

/** A panel below a button that closes when the focus leaves it. */
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
