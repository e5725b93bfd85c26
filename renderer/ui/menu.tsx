import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

/** A list of things to do or to choose, below its button. */
export const MenuLayer = ({ children }: { children: ReactNode }) => (
  <DropdownMenu.Portal>
    <DropdownMenu.Content
      align="end"
      sideOffset={4}
      collisionPadding={8}
      className="enter-layer z-30 max-h-(--radix-dropdown-menu-content-available-height) min-w-side max-w-form overflow-y-auto rounded-card border border-line-2 bg-panel p-1 shadow-layer"
    >
      {children}
    </DropdownMenu.Content>
  </DropdownMenu.Portal>
);

interface MenuItemProps {
  children: ReactNode;
  /** Whether it is the one that holds. Left out where nothing is chosen. */
  isOn?: boolean;
  title?: string;
  onSelect: () => void;
}

export const MenuItem = ({ children, isOn, title, onSelect }: MenuItemProps) => (
  <DropdownMenu.Item
    title={title}
    onSelect={onSelect}
    className="flex h-row items-center gap-2 rounded-kind px-2 text-fg-2 text-row outline-none data-highlighted:bg-select data-highlighted:text-fg"
  >
    <span className="min-w-0 flex-1 truncate">{children}</span>
    {isOn && <Icon of={Check} size="small" />}
  </DropdownMenu.Item>
);

export const MenuHead = ({ children }: { children: string }) => (
  <DropdownMenu.Label className="px-2 pt-1.5 pb-1 text-fg-3 text-label">{children}</DropdownMenu.Label>
);
