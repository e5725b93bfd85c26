import type { ReactNode } from 'react';
import { CopyIcon } from '../primitives/copy-button.tsx';

export interface KeyValue {
  key: string;
  value: ReactNode;
  /** Copied text. */
  text: string;
}

/** Keys and values as sent. The key stays beside its value however long that is. */
export function KeyValues({ rows }: { rows: readonly KeyValue[] }) {
  return (
    <dl className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      {rows.map(({ key, value, text }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a sender may repeat a key
        <div key={`${i} ${key}`} className="group col-span-2 grid grid-cols-subgrid border-line border-b py-1">
          <dt className="wrap-anywhere pr-3 font-mono text-fg-2 text-row">{key}</dt>
          <dd className="relative min-w-0 pr-7 font-mono text-row">
            {value}
            <span className="absolute -top-1 right-0 opacity-0 focus-within:opacity-100 group-hover:opacity-100">
              <CopyIcon text={() => text} label={`Copy ${key}`} />
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
