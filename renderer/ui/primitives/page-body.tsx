import type { ReactNode } from 'react';

/** Body of a page with text and forms, at a readable width; it scrolls, also by keyboard. */
export const PageBody = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
  <section aria-label={label} tabIndex={0} className="min-h-0 flex-1 overflow-y-auto">
    <div className="grid max-w-measure gap-6 px-pad py-4">{children}</div>
  </section>
);
