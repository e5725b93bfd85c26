/** What the turns of a session spent, beside the conversation. */
import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ListedTrace } from '../../../../shared/contract/tracing/trace-list.ts';
import { cost, count, duration, tokens } from '../../../model/text/format.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import { type AgentCost, costByAgent, largestInput, type ToolWork, toolsOfTraces } from '../../../model/trace/work-of-traces.ts';
import { KindIcon } from '../../../ui/primitives/kind-icon.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { outlineOf } from '../page/trace-query.ts';

const agentsShown = 8;
const toolsShown = 12;
const scoresShown = 20;

interface SessionWorkProps {
  turns: readonly ListedTrace[];
  onTurn: (index: number) => void;
}

type Outlines = readonly { data?: { tree: SpanTree } | undefined }[];

/** Null until all outlines have loaded, so that no sum changes while they load. */
const workOf = (outlines: Outlines) => {
  const trees = outlines.flatMap(({ data }) => (data ? [data.tree] : []));
  if (trees.length < outlines.length) return null;
  return { agents: costByAgent(trees), tools: toolsOfTraces(trees), inputs: trees.map(largestInput) };
};

export function SessionWork({ turns, onTurn }: SessionWorkProps) {
  const work = useQueries({ queries: turns.map(({ id }) => outlineOf(id)), combine: workOf });
  const scores = turns.flatMap((turn, index) => turn.scores.map((score) => ({ ...score, index })));
  if (!work) return null;
  const isEmpty = work.agents.length + work.tools.length + scores.length === 0 && work.inputs.every((input) => input === 0);
  if (isEmpty) return <Section title="Details">No agents, tools, tokens or scores were recorded.</Section>;
  return (
    <>
      {work.agents.length > 0 && <Agents agents={work.agents} />}
      {work.tools.length > 0 && <Tools tools={work.tools} />}
      {work.inputs.some((input) => input > 0) && <Inputs inputs={work.inputs} onTurn={onTurn} />}
      {scores.length > 0 && (
        <Section title={scores.length > scoresShown ? `Scores, the first ${scoresShown} of ${count(scores.length)}` : 'Scores'}>
          <ul className="grid gap-1">
            {scores.slice(0, scoresShown).map(({ name, score, label, index }) => (
              <li key={`${index} ${name}`} className="flex min-w-0 gap-2 text-row">
                <Text size="row" cut title={name}>
                  {name}
                </Text>
                <TurnLink index={index} onTurn={onTurn} />
                <span className="ml-auto shrink-0 font-strong tabular-nums">{label || count(score)}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

const TurnLink = ({ index, onTurn }: { index: number; onTurn: (index: number) => void }) => (
  <button type="button" onClick={() => onTurn(index)} className="min-h-6 shrink-0 text-fg-3 text-label hover:text-fg hover:underline">
    {`turn ${count(index + 1)}`}
  </button>
);

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid gap-1.5 border-line border-b px-pad py-2.5 text-row">
    <Text as="h2" size="row" strong>
      {title}
    </Text>
    {children}
  </section>
);

const titleOf = (title: string, all: readonly unknown[], shown: number) =>
  all.length > shown ? `${title}, the first ${shown} of ${count(all.length)}` : title;

function Agents({ agents }: { agents: readonly AgentCost[] }) {
  const highest = agents[0]?.cost ?? 1;
  return (
    <Section title={titleOf('Cost by agent', agents, agentsShown)}>
      <ul className="grid gap-1">
        {agents.slice(0, agentsShown).map((agent) => (
          <li key={agent.name} className="grid grid-cols-[minmax(0,1fr)_calc(var(--spacing)*16)_auto] items-center gap-2">
            <Named kind="agent" name={agent.name} />
            <span aria-hidden="true" className="h-1.5 bg-hover">
              <span className="block h-full bg-agent" style={{ width: `${(agent.cost / highest) * 100}%` }} />
            </span>
            <span className="num min-w-14 text-fg-2">{cost(agent.cost)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const Named = ({ kind, name }: { kind: 'agent' | 'tool'; name: string }) => (
  <span className="flex min-w-0 items-center gap-1.5">
    <KindIcon kind={kind} />
    <span title={name} className="truncate">
      {name}
    </span>
  </span>
);

function Tools({ tools }: { tools: readonly ToolWork[] }) {
  const hasErrors = tools.some(({ errors }) => errors > 0);
  return (
    <Section title={titleOf('Time by tool', tools, toolsShown)}>
      <table className="w-full table-fixed tabular-nums">
        <thead>
          <tr className="text-fg-3 text-label">
            <th className="pb-1 text-left font-normal">Tool</th>
            <th className="w-9 pb-1 text-right font-normal">Calls</th>
            <th className="w-14 pb-1 text-right font-normal">Longest</th>
            {hasErrors && <th className="w-11 pb-1 text-right font-normal">Errors</th>}
          </tr>
        </thead>
        <tbody>
          {tools.slice(0, toolsShown).map(({ name, calls, longest, running, errors }) => (
            <tr key={name}>
              <td className="py-0.5">
                <Named kind="tool" name={name.replace(/^execute_tool /, '')} />
              </td>
              <td className="text-right text-fg-2">{count(calls)}</td>
              <td className={running > 0 ? 'text-right text-ok' : 'text-right text-fg-2'}>{running > 0 ? 'running' : duration(longest)}</td>
              {hasErrors && <td className="text-right text-err">{errors > 0 ? count(errors) : ''}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

/** The limits of models are not known here, so the bars are relative to the largest input. */
function Inputs({ inputs, onTurn }: { inputs: readonly number[]; onTurn: (index: number) => void }) {
  const most = Math.max(...inputs);
  return (
    <Section title="Largest input, turn by turn">
      <ul className="flex h-16 items-end gap-0.5">
        {inputs.map((input, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the turns are in order
          <li key={index} className="flex h-full min-w-0 flex-1 items-end">
            <button
              type="button"
              title={`Turn ${count(index + 1)}: ${count(input)} tokens`}
              aria-label={`Turn ${count(index + 1)}: ${count(input)} tokens`}
              onClick={() => onTurn(index)}
              className="flex h-full w-full items-end hover:bg-hover"
            >
              <span className="block w-full bg-fg-3" style={{ height: `${(input / most) * 100}%` }} />
            </button>
          </li>
        ))}
      </ul>
      <Text size="label" tone="dim" className="tabular-nums">{`Up to ${tokens(most)} tokens in a model call`}</Text>
    </Section>
  );
}
