import { KeyCap } from './key-cap.tsx';

export type FooterKey = readonly [keys: readonly string[], what: string];

const allKeys: FooterKey = [['?'], 'all keys'];

/** The most useful keys of a screen, at its foot. Those that have no room are in the sheet of `?`, which therefore comes first. */
export const KeyFooter = ({ keys }: { keys: readonly FooterKey[] }) => (
  <footer className="flex h-row shrink-0 flex-wrap gap-x-5 overflow-hidden whitespace-nowrap border-line border-t px-pad max-split:hidden">
    {[allKeys, ...keys].map(([caps, what]) => (
      <span key={what} className="flex h-row items-center gap-1.5 text-fg-3 text-label">
        {caps.map((key) => (
          <KeyCap key={key}>{key}</KeyCap>
        ))}
        {what}
      </span>
    ))}
  </footer>
);
