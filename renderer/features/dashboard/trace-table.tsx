import { Link } from '@tanstack/react-router';
import type { ActivityTrace } from '../../../shared/contract/viewer/activity.ts';
import { cost, tokens } from '../../model/text/format.ts';
import { exactly } from '../../model/time/time.ts';
import { durationOf, kindOf, kindWords } from './marks.ts';

const heads = ['Started', 'Trace', 'Outcome', 'Duration', 'Tokens', 'Cost'];

/** The traces of a chart as a table, the newest first. */
export const TraceTable = ({ traces }: { traces: readonly ActivityTrace[] }) => (
  <details className="text-label">
    <summary className="w-fit text-fg-3 hover:text-fg">As a table</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
    <section tabIndex={0} aria-label="Every trace" className="max-h-image overflow-auto">
      <table className="w-full">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className="text-left font-normal text-fg-3">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {traces.toReversed().map((trace) => (
            <tr key={trace.id}>
              <td className="tabular-nums">{exactly(new Date(trace.at).toISOString())}</td>
              <td>
                <Link to="/traces/$traceId" params={{ traceId: trace.id }} className="hover:underline">
                  {trace.name}
                </Link>
              </td>
              <td>{kindWords[kindOf(trace)]}</td>
              <td className="tabular-nums">{durationOf(trace)}</td>
              <td className="tabular-nums">{tokens(trace.input_tokens + trace.output_tokens)}</td>
              <td className="tabular-nums">{trace.cost > 0 ? cost(trace.cost) : '—'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </details>
);
