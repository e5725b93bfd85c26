import clsx from 'clsx';
import { Tabs as Primitive } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';

export interface Tab<T extends string> {
  id: T;
  label: string;
  /** A small count beside the label; red when it counts failures. */
  badge?: number | undefined;
  isAlarming?: boolean;
}

interface TabsProps<T extends string> {
  label: string;
  tabs: readonly Tab<T>[];
  active: T;
  onChange: (id: T) => void;
  children: ReactNode;
}

export function Tabs<T extends string>({ label, tabs, active, onChange, children }: TabsProps<T>) {
  const list = useRef<HTMLDivElement>(null);
  // In a narrow window the tabs scroll, and the active one is scrolled into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the active tab changes
  useEffect(() => {
    list.current?.querySelector('[data-state=active]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [active]);
  return (
    <Primitive.Root value={active} onValueChange={(id) => onChange(id as T)} className="flex min-h-0 flex-1 flex-col">
      <Primitive.List ref={list} aria-label={label} className="flex shrink-0 gap-4 overflow-x-auto border-line border-b px-4">
        {tabs.map(({ id, label: text, badge, isAlarming }) => (
          <Primitive.Trigger
            key={id}
            value={id}
            className="flex shrink-0 items-center gap-1 border-transparent border-b-2 py-1.5 text-fg-3 text-row hover:text-fg data-[state=active]:border-accent data-[state=active]:text-fg"
          >
            {text}
            {badge !== undefined && badge > 0 && (
              <span className={clsx('text-key tabular-nums', isAlarming ? 'text-err' : 'text-fg-3')}>{badge}</span>
            )}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      <Primitive.Content key={active} value={active} tabIndex={-1} className="min-h-0 flex-1 overflow-auto outline-none">
        {children}
      </Primitive.Content>
    </Primitive.Root>
  );
}
