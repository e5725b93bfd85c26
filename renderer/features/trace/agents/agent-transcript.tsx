import { type CSSProperties, useEffect, useMemo, useRef } from 'react';
import { count } from '../../../model/text/format.ts';
import { unfoldedRows } from '../../../model/trace/span-rows.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import { layOutTranscript } from '../../../model/trace/transcript.ts';
import type { SpanTexts } from '../detail/span-texts.ts';
import { TranscriptPart } from '../index/transcript-part.tsx';
import { useFolds } from '../index/use-folds.ts';

/** All of them are rendered; longer runs are read on the page of the trace. */
const rowsMax = 100;

interface AgentTranscriptProps {
  tree: SpanTree;
  /** Position of the agent. */
  at: number;
  name: string;
  texts: SpanTexts;
  /** Opens a span, or the trace. */
  onSelect: (spanId: string | null) => void;
}

/** What happened below an agent, in place. */
export function AgentTranscript({ tree, at: agent, name, texts, onSelect }: AgentTranscriptProps) {
  const script = useMemo(() => layOutTranscript(tree), [tree]);
  const { folded, counts, fold, runs, chatter } = useFolds(tree, 'transcript', undefined);
  const rows = useMemo(() => {
    const last = agent + (tree.below[agent] as number);
    return unfoldedRows(tree, folded, counts).filter((at) => at > agent && at <= last);
  }, [tree, agent, folded, counts]);
  const shown = useMemo(() => rows.subarray(0, rowsMax), [rows]);
  useEffect(() => texts.want(tree, shown), [texts, tree, shown]);
  const timesOf = (at: number) => counts?.[at] ?? 0;
  const on = useStable({
    onFold: (at: number, isFolding: boolean) => (timesOf(at) > 0 ? runs.open(at) : fold(at, isFolding)),
    onSelect: (at: number) => {
      // A click that ends the selection of a text opens nothing.
      if (getSelection()?.isCollapsed !== false) onSelect(tree.idAt(at));
    },
  });
  return (
    <div className="border-line border-t py-1">
      <div role="tree" aria-label={`Transcript of ${name}`} className="@container">
        {[...shown].map((at) => (
          <div
            key={tree.idAt(at)}
            style={{ '--indent': Math.max(0, (script.indent[at] as number) - (script.indent[agent] as number) - 1) } as CSSProperties}
          >
            <TranscriptPart
              {...{ tree, at, script, texts, ...on }}
              words=""
              isOn={false}
              isDim={false}
              isFolded={folded.has(tree.idAt(at)) || timesOf(at) > 0}
              internalSpans={timesOf(at) > 0 && chatter.length[at] === timesOf(at) ? timesOf(at) : 0}
            />
          </div>
        ))}
      </div>
      {rows.length > rowsMax && (
        <p className="px-pad py-1 text-fg-3 text-label">
          {`The first ${count(rowsMax)} of ${count(rows.length)} steps. `}
          <button type="button" onClick={() => onSelect(null)} className="text-accent hover:underline">
            Open trace
          </button>
        </p>
      )}
    </div>
  );
}

interface Actions {
  onFold: (at: number, isFolding: boolean) => void;
  onSelect: (at: number) => void;
}

/** The same functions on every render, so that unchanged parts are not rendered again. */
function useStable(actions: Actions): Actions {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  return useMemo(
    () => ({
      onFold: (at, isFolding) => latest.current.onFold(at, isFolding),
      onSelect: (at) => latest.current.onSelect(at),
    }),
    [],
  );
}
