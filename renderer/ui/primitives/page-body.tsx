import type { ReactNode } from 'react';

/** What a page of words and forms says, as wide as it is read well; it scrolls, also by keyboard. */
export const PageBody = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
  <section aria-label={label} tabIndex={0} className="min-h-0 flex-1 overflow-y-auto">
    <div className="grid max-w-measure gap-6 px-pad py-4">{children}</div>
  </section>
);
