import clsx from 'clsx';
import { useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { plural } from '../../model/text/format.ts';
import { exactly } from '../../model/time/time.ts';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { FoldLine } from '../../ui/viewers/long-text.tsx';
import { useOutput } from './output-query.ts';

/** Newest lines, shown at first; the others on request. */
const initialLines = 400;

const tones = { stdout: 'text-fg', stderr: 'text-warm', gateway: 'text-fg-3 italic' } as const;

/** Live output of the agent, scrolled to its end. */
export function TurnOutput({ runId, label }: { runId: string; label: string }) {
  const output = useOutput(runId);
  const [isExpanded, setExpanded] = useState(false);
  if (output.isError && !output.data)
    return <FailedState failure={asFailure(output.error, 'The output could not be loaded')} onRetry={() => void output.refetch()} />;
  const { lines = [], hasEnded = false } = output.data ?? {};
  const hidden = isExpanded ? 0 : Math.max(0, lines.length - initialLines);
  if (lines.length === 0) return <Text tone="dim">{hasEnded ? 'No output.' : 'No output yet.'}</Text>;
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      className="flex max-h-panel flex-col-reverse overflow-y-auto rounded-control border border-line bg-bg p-2"
    >
      <div>
        {hidden > 0 && <FoldLine onClick={() => setExpanded(true)}>{`${plural(hidden, 'earlier line')} — show`}</FoldLine>}
        {lines.slice(hidden).map(({ seq, at, stream, text }) => (
          <p
            key={seq}
            title={exactly(at)}
            className={clsx('wrap-anywhere min-h-lane whitespace-pre-wrap font-mono text-row', tones[stream])}
          >
            {text}
          </p>
        ))}
      </div>
    </section>
  );
}
