import clsx from 'clsx';
import { useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { count, plural } from '../../model/text/format.ts';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { FoldLine } from '../../ui/viewers/long-text.tsx';
import { useChanges } from './coding-agents-query.ts';

const initialLines = 300;

function toneOf(line: string): string {
  if (/^(\+\+\+|---|diff |index |new file|deleted file)/.test(line)) return 'text-fg-3';
  if (line.startsWith('+')) return 'bg-added';
  if (line.startsWith('-')) return 'bg-removed';
  return line.startsWith('@@') ? 'text-accent' : '';
}

/** Changes of a turn: files and line diffs. */
export function TurnChanges({ runId }: { runId: string }) {
  const changes = useChanges(runId);
  if (changes.isError && !changes.data)
    return <FailedState failure={asFailure(changes.error, 'The changes could not be loaded')} onRetry={() => void changes.refetch()} />;
  if (!changes.data) return <Text tone="dim">Loading the changes</Text>;
  const { files, patch, is_cut } = changes.data;
  return (
    <div className="grid min-w-0 gap-2">
      <ul className="grid gap-0.5">
        {files.map(({ path, insertions, deletions }) => (
          <li key={path} className="flex min-w-0 gap-3">
            <Text mono cut className="flex-1" title={path}>
              {path}
            </Text>
            <Text tone="ok" className="num">
              {insertions === null ? 'binary' : `+${count(insertions)}`}
            </Text>
            <Text tone="err" className="num">
              {deletions === null ? '' : `−${count(deletions)}`}
            </Text>
          </li>
        ))}
      </ul>
      {patch !== '' && <Patch lines={patch.trimEnd().split('\n')} />}
      {is_cut && <Text tone="dim">The diff is cut off here. The commit has all of it.</Text>}
    </div>
  );
}

function Patch({ lines }: { lines: readonly string[] }) {
  const [isExpanded, setExpanded] = useState(false);
  const shown = isExpanded ? lines : lines.slice(0, initialLines);
  const hidden = lines.length - shown.length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section aria-label="Diff" tabIndex={0} className="overflow-x-auto rounded-control border border-line bg-bg py-1">
      <div className="w-max min-w-full font-mono text-row">
        {shown.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a patch never move
          <p key={index} className={clsx('min-h-lane whitespace-pre px-2', toneOf(line))}>
            {line}
          </p>
        ))}
      </div>
      {hidden > 0 && <FoldLine onClick={() => setExpanded(true)}>{`${plural(hidden, 'more line')} — show`}</FoldLine>}
    </section>
  );
}
