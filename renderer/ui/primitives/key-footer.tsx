import clsx from 'clsx';
import type { ReactNode } from 'react';
import { KeyCap } from './key-cap.tsx';

export type FooterKey = readonly [keys: readonly string[], what: string];

const allKeys: FooterKey = [['?'], 'all keys'];

interface KeyFooterProps {
  keys: readonly FooterKey[];
  /** At the end of the line; shown also where there is no room for keys. */
  children?: ReactNode;
}

/** The most useful keys of a screen, at its foot. Those that have no room are in the sheet of `?`, which therefore comes first. */
export const KeyFooter = ({ keys, children }: KeyFooterProps) => (
  <footer className={clsx('flex h-row shrink-0 gap-x-5 overflow-hidden border-line border-t px-pad', !children && 'max-split:hidden')}>
    <span className="flex h-row min-w-0 flex-1 flex-wrap gap-x-5 overflow-hidden whitespace-nowrap max-split:hidden">
      {[allKeys, ...keys].map(([caps, what]) => (
        <span key={what} className="flex h-row items-center gap-1.5 text-fg-3 text-label">
          {caps.map((key) => (
            <KeyCap key={key}>{key}</KeyCap>
          ))}
          {what}
        </span>
      ))}
    </span>
    {children}
  </footer>
);
