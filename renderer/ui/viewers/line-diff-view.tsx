import clsx from 'clsx';
import { useMemo, useState } from 'react';
import { count, plural } from '../../model/text/format.ts';
import { type LineDiff, lineDiff } from '../../model/text/line-diff.ts';
import { Text } from '../primitives/text.tsx';
import { FoldLine } from './long-text.tsx';

const initialRows = 400;
const styles = { same: 'text-fg-2', added: 'bg-added text-fg', removed: 'bg-removed text-fg' };
const signs = { same: ' ', added: '+', removed: '−' };

interface LineDiffViewProps {
  before: string;
  after: string;
  /** Accessible name: what is compared. */
  label: string;
}

/** Two versions of a file, line by line. Unchanged lines are collapsed to a count. */
export function LineDiffView({ before, after, label }: LineDiffViewProps) {
  const diff = useMemo(() => lineDiff(before, after), [before, after]);
  if (diff.added + diff.removed === 0) return <Text tone="dim">The two versions are identical.</Text>;
  return (
    <div className="grid min-w-0 gap-1">
      <p className="flex gap-2">
        <Text tone="ok" size="label">{`+${count(diff.added)}`}</Text>
        <Text tone="err" size="label">{`−${count(diff.removed)}`}</Text>
      </p>
      <Rows rows={diff.rows} label={label} />
    </div>
  );
}

function Rows({ rows, label }: { rows: LineDiff['rows']; label: string }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, initialRows);
  const hidden = rows.length - shown.length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section aria-label={label} tabIndex={0} className="max-h-image min-w-0 overflow-auto rounded-control border border-line bg-bg py-1">
      <div className="w-max min-w-full font-mono text-row">
        {shown.map((row, at) =>
          row.kind === 'gap' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a comparison never move
            <p key={at} className="bg-panel px-2 text-fg-3 text-label">
              {`${plural(row.count, 'line')} unchanged`}
            </p>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a comparison never move
            <p key={at} className={clsx('min-h-lane whitespace-pre px-2', styles[row.kind])}>
              <span aria-hidden="true" className="select-none pr-2 text-fg-3">
                {signs[row.kind]}
              </span>
              {row.kind !== 'same' && <span className="sr-only">{`${row.kind}: `}</span>}
              {row.text}
            </p>
          ),
        )}
      </div>
      {hidden > 0 && <FoldLine onClick={() => setWhole(true)}>{`${plural(hidden, 'more line')} — show`}</FoldLine>}
    </section>
  );
}
