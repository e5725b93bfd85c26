import { memo } from 'react';
import type { ContextWindow } from '../../../../shared/contract/tracing/context-windows.ts';
import { cost, percent, tokens } from '../../../model/text/format.ts';
import { breakOf, whatChanged } from '../../../model/trace/context-breaks.ts';
import { promptTokens } from '../../../model/trace/context-verdicts.ts';

/** The figures of the picture, for screen readers. Its thousand rows are not drawn again while the pointer moves over the picture. */
export const CallTable = memo(({ window, chosen }: { window: ContextWindow; chosen: number }) => (
  <div className="sr-only">
    <table>
      <caption>Calls of this window</caption>
      <thead>
        <tr>
          {['Call', 'Input tokens', 'Cached', 'Cost', 'Break'].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {window.calls.map((call, index) => (
          <tr key={call.span_id} aria-current={index === chosen}>
            <th scope="row">{index + 1}</th>
            <td>{tokens(promptTokens(call))}</td>
            <td>{call.cached_tokens === null || !call.input_tokens ? 'not reported' : percent(call.cached_tokens / call.input_tokens)}</td>
            <td>{call.cost === null ? 'not known' : cost(call.cost)}</td>
            <td>{breakOf(call) === null ? '' : whatChanged(window, call) || 'The cache was not read.'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
));
