import type { ReactNode } from 'react';

/** In the shapes of bar-shapes.ts, for an agent. */
const marks: readonly { label: string; title: string; mark: ReactNode }[] = [
  {
    label: 'Self time',
    title: 'The span itself works: no span below it runs',
    mark: <rect y={3} width={22} height={10} className="fill-agent" />,
  },
  {
    label: 'Spans below',
    title: 'A span below it runs',
    mark: <rect y={3} width={22} height={10} className="fill-agent" fillOpacity={0.36} />,
  },
  {
    label: 'Critical path',
    title: 'The trace would end earlier if the span were faster here',
    mark: (
      <>
        <rect y={3} width={22} height={10} className="fill-agent" />
        <rect y={7} width={22} height={2} className="fill-bg" />
      </>
    ),
  },
  {
    label: 'First token',
    title: 'The model began to answer',
    mark: (
      <>
        <rect y={3} width={22} height={10} className="fill-llm" />
        <rect x={10} y={1} width={2} height={14} className="fill-fg" />
      </>
    ),
  },
  { label: 'Event', title: 'An event of the span', mark: <circle cx={11} cy={8} r={1.75} className="fill-fg" /> },
];

/** What the shapes and lines of the bars mean. */
export const TimelineLegend = () => (
  <ul aria-label="Legend" className="flex h-row shrink-0 items-center gap-4 overflow-hidden whitespace-nowrap border-line border-t px-pad">
    {marks.map(({ label, title, mark }) => (
      <li key={label} title={title} className="flex items-center gap-1.5 text-fg-3 text-label">
        <svg aria-hidden="true" width={22} height={16} shapeRendering="crispEdges">
          {mark}
        </svg>
        {label}
      </li>
    ))}
  </ul>
);
