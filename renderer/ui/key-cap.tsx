export const KeyCap = ({ children }: { children: string }) => (
  <kbd aria-hidden="true" className="rounded-key border border-line-2 px-1 font-mono text-fg-3 text-key leading-text">
    {children}
  </kbd>
);
