/** The agents that the agent of a trace called, as cards: what each was asked and answered, and its own transcript in place. */
import { useNavigate } from '@tanstack/react-router';
import clsx from 'clsx';
import { useEffect, useMemo, useState } from 'react';
import { cost, duration, plural } from '../../../model/text/format.ts';
import { milliseconds } from '../../../model/time/time.ts';
import type { Card } from '../../../model/trace/conversation.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import { type SubAgent, subAgents } from '../../../model/trace/sub-agents.ts';
import { spanMessages } from '../../../model/trace/transcript.ts';
import { KindIcon } from '../../../ui/primitives/kind-icon.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { SpanTexts, useSpanText } from '../detail/span-texts.ts';
import { useTrace } from '../page/trace-query.ts';
import { AgentTranscript } from './agent-transcript.tsx';

interface SubAgentsProps {
  traceId: string;
  isOpen: (spanId: string) => boolean;
  onToggle: (spanId: string) => void;
}

/** Further cards are shown on request. */
const cardsShown = 8;

export function SubAgents({ traceId, isOpen, onToggle }: SubAgentsProps) {
  const tree = useTrace(traceId).data?.tree;
  const agents = useMemo(() => (tree ? subAgents(tree) : []), [tree]);
  const texts = useMemo(() => new SpanTexts(traceId), [traceId]);
  const [areAllShown, showAll] = useState(false);
  const shown = areAllShown ? agents : agents.slice(0, cardsShown);
  useEffect(() => {
    if (tree) texts.want(tree, agents.slice(0, areAllShown ? agents.length : cardsShown).flatMap(placesOf));
  }, [tree, texts, agents, areAllShown]);
  if (!tree || agents.length === 0) return null;
  return (
    <section
      aria-label="Agents of the turn"
      className="grid min-w-0 grid-cols-2 gap-2 pl-[calc(var(--width-total)+var(--spacing)*2)] max-facets:grid-cols-1 max-split:pl-0"
    >
      {shown.map((agent) => {
        const id = tree.idAt(agent.at);
        return <AgentCard key={id} {...{ tree, agent, texts, traceId }} isOpen={isOpen(id)} onToggle={() => onToggle(id)} />;
      })}
      {agents.length > shown.length && (
        <button type="button" onClick={() => showAll(true)} className="col-span-full w-fit text-fg-3 text-label hover:text-fg">
          {`Show all ${plural(agents.length, 'agent')}`}
        </button>
      )}
    </section>
  );
}

const placesOf = ({ at, first, last }: SubAgent) => (first < 0 ? [at] : [at, first, last]);

interface AgentCardProps {
  tree: SpanTree;
  agent: SubAgent;
  texts: SpanTexts;
  traceId: string;
  isOpen: boolean;
  onToggle: () => void;
}

function AgentCard({ tree, agent, texts, traceId, isOpen, onToggle }: AgentCardProps) {
  const navigate = useNavigate();
  const { asked, answered } = useTalk(tree, agent, texts);
  const isBad = agent.errors > 0;
  return (
    <article
      aria-label={`Agent ${agent.name}`}
      className={clsx(
        'min-w-0 rounded-card border bg-panel',
        isBad ? 'border-err-line shadow-[inset_var(--spacing-edge)_0_var(--color-err)]' : 'border-line',
        isOpen && 'col-span-full',
      )}
    >
      <button type="button" aria-expanded={isOpen} onClick={onToggle} className="grid w-full gap-1 px-2.5 py-1.5 text-left hover:bg-hover">
        <span className="flex min-w-0 items-center gap-1.5">
          <KindIcon kind="agent" />
          <span title={agent.name} className="min-w-0 truncate font-medium text-row">
            {agent.name}
          </span>
          <Facts tree={tree} agent={agent} />
          <span aria-hidden="true" className="text-fg-3 text-label">
            {isOpen ? '▾' : '▸'}
          </span>
        </span>
        <Line label="Asked" text={asked} />
        <Line label="Answered" text={answered} />
      </button>
      {isOpen && (
        <AgentTranscript
          {...{ tree, at: agent.at, texts, name: agent.name }}
          onSelect={(span) => void navigate({ to: '/traces/$traceId', params: { traceId }, search: span === null ? {} : { span } })}
        />
      )}
    </article>
  );
}

function Facts({ tree, agent }: { tree: SpanTree; agent: SubAgent }) {
  const isRunning = tree.isPending(agent.at);
  return (
    <span className="ml-auto flex shrink-0 gap-1.5 text-fg-3 text-label tabular-nums">
      {agent.errors > 0 && <span className="text-err">{plural(agent.errors, 'error')}</span>}
      <span>{plural(agent.calls, 'call')}</span>
      {agent.cost > 0 && <span>{cost(agent.cost)}</span>}
      {isRunning ? <span className="text-ok">Running</span> : <span>{duration(milliseconds(tree.durationAt(agent.at)))}</span>}
    </span>
  );
}

const Line = ({ label, text }: { label: string; text: string }) =>
  text === '' ? null : (
    <span className="wrap-anywhere line-clamp-2 text-body">
      <Text size="label" tone="dim">{`${label} `}</Text>
      {text}
    </span>
  );

const charsMax = 400;

/** Start of a text in one paragraph, without the marks of emphasis. */
const textOf = (card: Card | undefined): string =>
  (card?.type === 'text' ? card.text : card?.type === 'data' ? JSON.stringify(card.value) : '')
    .slice(0, charsMax)
    .replace(/\*\*(\S[^*]*)\*\*/g, '$1');

/** From the span of the agent; where it has no texts, from its first and last model call. */
function useTalk(tree: SpanTree, { at, first, last }: SubAgent, texts: SpanTexts): { asked: string; answered: string } {
  const idOf = (place: number) => (place < 0 ? '' : tree.idAt(place));
  const own = useSpanText(texts, idOf(at));
  const firstCall = useSpanText(texts, idOf(first));
  const lastCall = useSpanText(texts, idOf(last));
  return useMemo(() => {
    const question = (span: typeof own) =>
      textOf(span && spanMessages(span, undefined, true).input.findLast(({ role }) => role === 'user'));
    const answer = (span: typeof own) =>
      textOf(span && spanMessages(span, undefined, true).output.findLast(({ type }) => type === 'text' || type === 'data'));
    return { asked: question(own) || question(firstCall), answered: answer(own) || answer(lastCall) };
  }, [own, firstCall, lastCall]);
}
