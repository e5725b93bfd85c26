import { Link } from '@tanstack/react-router';
import type { CostlyPrompt } from '../../../shared/contract/viewer/spending.ts';
import { cost, count, tokens } from '../../model/text/format.ts';
import { oneLine } from '../../model/text/one-line.ts';
import { exactly, when } from '../../model/time/time.ts';
import { Text } from '../../ui/primitives/text.tsx';
import { folderName } from './words.ts';

/** The prompts that cost most, each with its run. */
export const CostlyPrompts = ({ prompts }: { prompts: readonly CostlyPrompt[] }) => (
  <section aria-label="Most expensive prompts" className="py-2">
    <h2 className="flex h-row items-center px-pad text-fg-2 text-label">{`The ${prompts.length === 10 ? 'ten ' : ''}most expensive prompts`}</h2>
    {prompts.length === 0 ? (
      <Text as="p" tone="dim" className="px-pad">
        No prompt with a known cost in this time.
      </Text>
    ) : (
      <table className="w-full text-row">
        <thead className="sr-only">
          <tr>
            {['Prompt', 'Agent', 'Project', 'Started', 'Calls', 'Tokens', 'Cost'].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {prompts.map((prompt) => (
            <PromptRow key={prompt.trace_id} prompt={prompt} />
          ))}
        </tbody>
      </table>
    )}
  </section>
);

function PromptRow({ prompt }: { prompt: CostlyPrompt }) {
  const text = oneLine(prompt.text) || prompt.name || 'unnamed';
  return (
    <tr className="h-row hover:bg-hover">
      <th scope="row" className="w-full max-w-0 truncate px-pad text-left font-normal">
        <Link to="/traces/$traceId" params={{ traceId: prompt.trace_id }} title={text} className="hover:underline">
          {text}
        </Link>
      </th>
      <td className="max-w-(--width-name) truncate pl-3 text-fg-2 max-split:hidden" title={prompt.agent}>
        {prompt.agent}
      </td>
      <td className="max-w-(--width-name) truncate pl-3 text-fg-2" title={prompt.folder ?? undefined}>
        {prompt.folder === null ? '—' : folderName(prompt.folder)}
      </td>
      <td className="num whitespace-nowrap pl-3 text-fg-2" title={exactly(prompt.at)}>
        {when(prompt.at)}
      </td>
      <td className="num whitespace-nowrap pl-3 text-fg-2">{`${count(prompt.calls)} ${prompt.calls === 1 ? 'call' : 'calls'}`}</td>
      <td className="num whitespace-nowrap pl-3 text-fg-2" title="Input and output tokens">
        {tokens(prompt.input_tokens + prompt.output_tokens)}
      </td>
      <td className="num whitespace-nowrap px-pad">{cost(prompt.cost)}</td>
    </tr>
  );
}
