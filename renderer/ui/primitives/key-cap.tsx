/** A shortcut beside its action. Hidden from screen readers: the sheet of `?` describes it. */
export const KeyCap = ({ children }: { children: string }) => (
  <span aria-hidden="true" className="rounded-key border border-line-2 px-1 font-mono text-fg-3 text-key leading-text">
    {children}
  </span>
);
