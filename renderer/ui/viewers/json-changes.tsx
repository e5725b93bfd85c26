import { plural } from '../../model/text/format.ts';
import type { JsonChange } from '../../model/text/json-diff.ts';
import { oneLine } from '../../model/text/one-line.ts';
import { Text } from '../primitives/text.tsx';

const valueMax = 400;
const formatValue = (value: unknown) =>
  value === null ? 'null' : typeof value === 'string' ? JSON.stringify(oneLine(value, valueMax)) : oneLine(value, valueMax);

/** Changes of a JSON value, one line each. */
export function JsonChanges({ changes }: { changes: readonly JsonChange[] }) {
  if (changes.length === 0) return <Text tone="dim">The same values, formatted differently.</Text>;
  return (
    <ul aria-label={plural(changes.length, 'difference')} className="grid gap-1 font-mono text-row">
      {changes.map(({ kind, path, before, after }) => (
        <li key={path} className="wrap-anywhere">
          <span className="text-fg-2">{`${path || 'the whole value'} `}</span>
          {kind !== 'added' && <del className="bg-removed text-fg-2">{formatValue(before)}</del>}
          {kind === 'changed' && ' '}
          {kind !== 'removed' && <ins className="bg-added text-fg no-underline">{formatValue(after)}</ins>}
        </li>
      ))}
    </ul>
  );
}
