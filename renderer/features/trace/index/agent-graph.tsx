import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { useMemo } from 'react';
import { gateway } from '../../../api/client.ts';
import { cost, count, duration, plural } from '../../../model/text/format.ts';
import { milliseconds } from '../../../model/time/time.ts';
import { type GraphLayout, graphOfSender, graphOfTree, layOutGraph, type Step, type StepGraph } from '../../../model/trace/agent-graph.ts';
import { KindIcon } from '../../../ui/primitives/kind-icon.tsx';
import { tokenPx } from '../../../ui/primitives/token-size.ts';
import type { SpanIndexProps } from './span-index.tsx';
import { Zoomable } from './zoomable.tsx';

/** Call graph of agents, models and tools. Each box stands for all spans of one step of one agent. */
export function AgentGraph({ loaded, list, treeRef, onOpen }: SpanIndexProps) {
  const { tree, trace } = loaded;
  const senderGraph = useQuery({
    queryKey: ['trace', trace.id, 'graph'],
    queryFn: async () => (await gateway.traces.graph({ params: { traceId: trace.id } })).data,
  });
  const graph = useMemo(
    () => (senderGraph.data?.length ? graphOfSender(tree, senderGraph.data) : graphOfTree(tree)),
    [tree, senderGraph.data],
  );
  const places = useMemo(() => layOutGraph(graph), [graph]);
  const select = (step: Step) => {
    const current = step.spans.indexOf(list.selected);
    list.reveal(step.spans[(current + 1) % step.spans.length]);
    onOpen();
  };
  const box = { width: tokenPx('--spacing-step') || 200, height: tokenPx('--spacing-header') || 44, gapX: 40, gapY: 10, pad: 16 };
  const left = (at: number) => box.pad + (places.columns[at] as number) * (box.width + box.gapX);
  const top = (at: number) => box.pad + (places.rows[at] as number) * (box.height + box.gapY);
  return (
    <Zoomable label="Graph of agents, models and tools" size={sizeOf(places, box)}>
      <div ref={treeRef} tabIndex={-1} className="relative outline-none" style={sizeOf(places, box)}>
        <Edges graph={graph} left={left} top={top} box={box} places={places} />
        {graph.steps.map((step, at) => (
          <StepBox
            key={step.id}
            step={step}
            isOn={containsSpan(step, list.selected)}
            left={left(at)}
            top={top(at)}
            onSelect={() => select(step)}
          />
        ))}
      </div>
    </Zoomable>
  );
}

interface Box {
  width: number;
  height: number;
  gapX: number;
  gapY: number;
  pad: number;
}

const sizeOf = ({ columnCount, rowCount }: GraphLayout, { width, height, gapX, gapY, pad }: Box) => ({
  width: 2 * pad + columnCount * (width + gapX) - gapX,
  height: 2 * pad + rowCount * (height + gapY) - gapY,
});

const containsSpan = ({ spans }: Step, at: number) => spans.includes(at);

interface EdgesProps {
  graph: StepGraph;
  places: GraphLayout;
  left: (at: number) => number;
  top: (at: number) => number;
  box: Box;
}

function Edges({ graph, places, left, top, box }: EdgesProps) {
  return (
    <svg aria-hidden="true" className="absolute inset-0 size-full">
      {graph.edges.map(({ from, to, count: times }) => {
        const [x1, y1, x2, y2] = [left(from) + box.width, top(from) + box.height / 2, left(to), top(to) + box.height / 2];
        const middle = (places.columns[to] as number) > (places.columns[from] as number) ? x2 - box.gapX / 2 : x1 + box.gapX / 2;
        return (
          <g key={`${from} ${to}`}>
            <path d={`M${x1} ${y1} H${middle} V${y2} H${x2}`} className="fill-none stroke-line-2" strokeWidth={times > 1 ? 1.5 : 1} />
            {times > 1 && (
              <text
                x={x2 - 4}
                y={y2 - 4}
                textAnchor="end"
                strokeWidth={3}
                className="fill-fg-3 stroke-bg text-key tabular-nums [paint-order:stroke]"
              >
                {`×${count(times)}`}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

interface StepBoxProps {
  step: Step;
  isOn: boolean;
  left: number;
  top: number;
  onSelect: () => void;
}

function StepBox({ step, isOn, left, top, onSelect }: StepBoxProps) {
  const { label, kind, spans, failures, durationMs, cost: price } = step;
  return (
    <button
      type="button"
      aria-pressed={isOn}
      title={`${label}: ${plural(spans.length, 'span')}. Click to select the next one`}
      onClick={onSelect}
      className={clsx(
        'absolute grid h-header w-step content-center gap-0.5 rounded-control border px-2 text-left',
        isOn ? 'border-accent bg-select' : 'border-line-2 bg-panel hover:bg-raised',
      )}
      style={{ left, top }}
    >
      <span className="flex min-w-0 items-center gap-1.5">
        <KindIcon kind={kind} />
        <span className={clsx('truncate text-row', failures > 0 ? 'text-err' : 'text-fg')}>{label}</span>
        {spans.length > 1 && <span className="ml-auto shrink-0 text-fg-3 text-label tabular-nums">{`×${count(spans.length)}`}</span>}
      </span>
      <span className="flex gap-2 truncate text-fg-3 text-label tabular-nums">
        <span>{duration(milliseconds(durationMs))}</span>
        {price > 0 && <span>{cost(price)}</span>}
        {failures > 0 && <span className="text-err">{plural(failures, 'error')}</span>}
      </span>
    </button>
  );
}
