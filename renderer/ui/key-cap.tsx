/** A small picture of a key beside what it does. Not read aloud: the sheet behind `?` says it in words. */
export const KeyCap = ({ children }: { children: string }) => (
  <span aria-hidden="true" className="rounded-key border border-line-2 px-1 font-mono text-fg-3 text-key leading-text">
    {children}
  </span>
);
