import { type ReactNode, useState } from 'react';

interface DisclosureProps {
  label: string;
  defaultOpen?: boolean;
  children: ReactNode;
}

/** Expandable section. Its content is rendered only while it is open. */
export function Disclosure({ label, defaultOpen = false, children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(defaultOpen);
  return (
    <div className="grid min-w-0 gap-1">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex items-center gap-1.5 justify-self-start text-fg-2 text-label hover:text-fg"
      >
        <span aria-hidden="true" className="text-fg-3">
          {isOpen ? '▾' : '▸'}
        </span>
        {label}
      </button>
      {isOpen && children}
    </div>
  );
}
