/** What happened below a span: what was asked and answered, the errors, and the work of its agents, models and tools. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { gateway } from '../../../api/client.ts';
import { cost, count, duration, plural, tokens } from '../../../model/text/format.ts';
import type { Card as ConversationCard } from '../../../model/trace/conversation.ts';
import type { SpanNode } from '../../../model/trace/span-node.ts';
import { spanMessages } from '../../../model/trace/transcript.ts';
import { causesBelow, type Work, workBelow } from '../../../model/trace/work-below.ts';
import { KindIcon } from '../../../ui/primitives/kind-icon.tsx';
import { SkeletonCards } from '../../../ui/primitives/skeleton.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { MessageCard } from './message-card.tsx';
import { firstAndLastCall } from './related-spans.ts';
import { usePayload } from './span-query.ts';

interface InsideProps {
  node: SpanNode;
  /** Whether the span has neither input nor output of its own. */
  isEmpty: boolean;
  isEnabled: boolean;
  onReveal: (node: SpanNode) => void;
}

export function Inside({ node, isEmpty, isEnabled, onReveal }: InsideProps) {
  const calls = useMemo(() => firstAndLastCall(node), [node]);
  const work = useMemo(() => workBelow(node), [node]);
  const causes = useMemo(() => causesBelow(node), [node]);
  return (
    <>
      {isEmpty && calls && <Talk calls={calls} isEnabled={isEnabled} onReveal={onReveal} />}
      {causes.length > 0 && <Errors causes={causes} isEnabled={isEnabled} onReveal={onReveal} />}
      {work.length > 0 && <WorkTable work={work} onReveal={onReveal} />}
    </>
  );
}

interface TalkProps {
  calls: { first: SpanNode; last: SpanNode };
  isEnabled: boolean;
  onReveal: (node: SpanNode) => void;
}

/** The question of the first model call and the answer of the last one. */
function Talk({ calls: { first, last }, isEnabled, onReveal }: TalkProps) {
  const asked = usePayload(first.span.trace_id, first.id, isEnabled);
  const answered = usePayload(last.span.trace_id, last.id, isEnabled);
  if (!asked.span || !answered.span) return asked.error || answered.error ? null : <SkeletonCards label="Loading question and answer" />;
  const question = spanMessages(asked.span, undefined, true).input.findLast(({ role }) => role === 'user');
  const answer = spanMessages(answered.span, undefined, true).output.filter(({ type }) => type === 'text' || type === 'data');
  return (
    <>
      <Part title="Asked in the first model call" node={first} cards={question ? [question] : []} onReveal={onReveal} />
      <Part title="Answered by the last model call" node={last} cards={answer} onReveal={onReveal} />
    </>
  );
}

interface PartProps {
  title: string;
  node: SpanNode;
  cards: readonly ConversationCard[];
  onReveal: (node: SpanNode) => void;
}

function Part({ title, node, cards, onReveal }: PartProps) {
  if (cards.length === 0) return null;
  return (
    <section className="grid gap-1.5">
      <Heading>
        <button type="button" onClick={() => onReveal(node)} className="hover:text-fg">
          {title}
        </button>
      </Heading>
      {cards.map((card) => (
        <MessageCard key={card.key} card={card} />
      ))}
    </section>
  );
}

const Heading = ({ children }: { children: ReactNode }) => (
  <Text as="h3" size="label" tone="dim">
    {children}
  </Text>
);

const causesShown = 10;

function Errors({ causes, isEnabled, onReveal }: { causes: readonly SpanNode[]; isEnabled: boolean; onReveal: (node: SpanNode) => void }) {
  const shown = causes.slice(0, causesShown);
  const messages = useMessages(shown, isEnabled);
  return (
    <section className="grid gap-1.5">
      <Heading>{`${plural(causes.length, 'error')} inside${causes.length > causesShown ? `, the first ${causesShown}` : ''}`}</Heading>
      <ul className="grid min-w-0">
        {shown.map((cause) => (
          <li key={cause.id} className="flex min-h-row min-w-0 items-center gap-1.5">
            <KindIcon kind={cause.span.span_kind} />
            <button type="button" onClick={() => onReveal(cause)} className="max-w-1/2 shrink-0 truncate text-err text-row hover:underline">
              {cause.span.name || 'unnamed'}
            </button>
            <Text size="label" tone="quiet" cut title={messages.get(cause.id)}>
              {messages.get(cause.id)}
            </Text>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Reasons of failures, by span. */
function useMessages(failed: readonly SpanNode[], isEnabled: boolean): ReadonlyMap<string, string> {
  const ids = failed.map(({ id }) => id);
  const traceId = failed[0]?.span.trace_id ?? '';
  const { data = [] } = useQuery({
    queryKey: ['trace', traceId, 'spans', ids],
    queryFn: async () => (await gateway.traceViewer.previews({ params: { traceId }, query: { ids: ids.join(',') } })).data,
    enabled: isEnabled,
  });
  return useMemo(() => new Map(data.map(({ id, status_message }) => [id, status_message ?? ''])), [data]);
}

const workShown = 50;

interface WorkColumn {
  head: string;
  /** Null where there is nothing to say; a column without any figure is left out. */
  figure: (row: Work) => string | null;
  isErr?: boolean;
}

const columns: readonly WorkColumn[] = [
  { head: 'Calls', figure: ({ calls }) => count(calls) },
  { head: 'Errors', figure: ({ errors }) => (errors > 0 ? count(errors) : null), isErr: true },
  { head: 'Time', figure: ({ time }) => duration(time) },
  { head: 'Mean', figure: ({ mean }) => duration(mean) },
  { head: 'p95', figure: ({ p95 }) => (p95 === null ? null : duration(p95)) },
  { head: 'Tokens', figure: (row) => (row.tokens > 0 ? tokens(row.tokens) : null) },
  { head: 'Cost', figure: (row) => (row.cost > 0 ? cost(row.cost) : null) },
];

const cellStyle = 'whitespace-nowrap py-1 pl-3 text-right';

function WorkTable({ work, onReveal }: { work: readonly Work[]; onReveal: (node: SpanNode) => void }) {
  const shown = columns.filter(({ figure }) => work.some((row) => figure(row) !== null));
  return (
    <section className="grid min-w-0 gap-1.5">
      <Heading>{`Time and cost inside${work.length > workShown ? `, the first ${workShown} of ${count(work.length)}` : ''}`}</Heading>
      <table aria-label="Time and cost inside" className="block w-full overflow-x-auto text-row">
        <thead>
          <tr className="text-fg-3 text-label">
            <th className="w-full min-w-35 py-1 text-left font-normal">Name</th>
            {[...shown.map(({ head }) => head), 'Longest'].map((head) => (
              <th key={head} className={`${cellStyle} font-normal`}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {work.slice(0, workShown).map((row) => (
            <tr key={`${row.kind} ${row.name}`} className="border-line border-t text-fg-2 tabular-nums">
              <td className="min-w-35 max-w-0 py-1">
                <span className="flex min-w-0 items-center gap-1.5">
                  <KindIcon kind={row.kind} />
                  <span className="truncate text-fg" title={row.name}>
                    {row.name || 'unnamed'}
                  </span>
                </span>
              </td>
              {shown.map(({ head, figure, isErr }) => (
                <td key={head} className={isErr ? `${cellStyle} text-err` : cellStyle}>
                  {figure(row)}
                </td>
              ))}
              <td className={cellStyle}>
                <button
                  type="button"
                  onClick={() => onReveal(row.slowest)}
                  title="Go to the longest call"
                  className="text-accent hover:underline"
                >
                  {duration(row.max)}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
