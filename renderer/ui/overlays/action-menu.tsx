import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { KeyCap } from '../primitives/key-cap.tsx';
import { Text } from '../primitives/text.tsx';

interface ActionMenuProps {
  label: string;
  /** The button that opens it. */
  trigger: ReactNode;
  /** Both are set for a menu that a key opens too. */
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  children: ReactNode;
}

/** A menu of actions, each with a short description. */
export const ActionMenu = ({ label, trigger, isOpen, onOpenChange, children }: ActionMenuProps) => (
  <DropdownMenu.Root modal={false} {...(isOpen === undefined ? {} : { open: isOpen })} {...(onOpenChange && { onOpenChange })}>
    <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
    {/* In the main part of the page: what is outside of it is in no landmark. */}
    <DropdownMenu.Portal container={document.querySelector('main')}>
      <DropdownMenu.Content
        align="end"
        sideOffset={4}
        aria-label={label}
        className="enter-layer z-50 w-form rounded-card border border-line-2 bg-panel p-1 text-fg shadow-layer"
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  </DropdownMenu.Root>
);

export interface ActionProps {
  label: string;
  about: string;
  /** Action; absent for a download. */
  onSelect?: () => void;
  /** URL of the file. */
  download?: string;
  /** The shortcut for the same action. */
  hint?: string;
  isDisabled?: boolean;
}

const style =
  'flex min-h-row items-center gap-3 rounded-control px-2 text-row outline-none data-[disabled]:text-fg-3 data-[highlighted]:bg-hover';

export function Action({ label, about, onSelect, download, hint, isDisabled = false }: ActionProps) {
  const content = (
    <>
      <span className="min-w-total shrink-0">{label}</span>
      <Text size="label" tone="dim" cut>
        {about}
      </Text>
      {hint && (
        <span className="ml-auto shrink-0">
          <KeyCap>{hint}</KeyCap>
        </span>
      )}
    </>
  );
  if (download === undefined)
    return (
      <DropdownMenu.Item textValue={label} disabled={isDisabled} className={style} {...(onSelect && { onSelect })}>
        {content}
      </DropdownMenu.Item>
    );
  return (
    <DropdownMenu.Item asChild>
      <a href={download} download className={style}>
        {content}
      </a>
    </DropdownMenu.Item>
  );
}
