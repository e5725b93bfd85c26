import { Repeat2 } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { count, plural } from '../../model/text/format.ts';
import { elapsed } from '../../model/time/elapsed.ts';
import type { Card } from '../../model/trace/conversation.ts';
import { type TurnSpans, type TurnTalk, turnTalk } from '../../model/trace/session-turns.ts';
import { Icon } from '../../ui/primitives/icon.tsx';
import { SkeletonCards } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { useSpeakers } from './session-query.ts';
import { TurnFailure } from './turn-failure.tsx';
import { type OpenTexts, Said, SystemPrompt, TurnText } from './turn-text.tsx';

/** Renders messages that are not texts; provided by the trace feature. */
export type DrawCards = (cards: readonly Card[], owner: { traceId: string; spanId: string }) => ReactNode;

/** Renders the agents that a turn called; provided by the trace feature. */
export type DrawAgents = (turn: { traceId: string; isOpen: (spanId: string) => boolean; onToggle: (spanId: string) => void }) => ReactNode;

/** Renders what the turns spent; provided by the trace feature. */
export type DrawWork = (turns: readonly ListedTrace[], onTurn: (index: number) => void) => ReactNode;

export interface TurnContext {
  turn: ListedTrace;
  before: ListedTrace | undefined;
  /** The first turn that seems to have asked the same. */
  same: { turn: ListedTrace; number: number } | undefined;
  /** Counted from 1. */
  number: number;
  /** Number of turns with the same system prompt, 0 when they differ; whether these are all turns. */
  samePrompt: { turns: number; areAll: boolean };
  texts: OpenTexts;
  draw: DrawCards;
  drawAgents: DrawAgents;
}

/** What was said in a turn: system prompt, question, answer and failure. */
export function TurnMessages(props: TurnContext) {
  const { turn, before } = props;
  const own = useSpeakers(turn);
  const earlier = useSpeakers(before);
  const isReady = own.data !== undefined && (earlier.data !== undefined || earlier.isEmpty || earlier.isError);
  const talk = useMemo(() => (own.data && isReady ? turnTalk(own.data, earlier.data) : null), [own.data, earlier.data, isReady]);
  const promptBefore = useMemo(() => (earlier.data ? turnTalk(earlier.data, undefined).system : ''), [earlier.data]);
  if (own.isError && !own.data)
    return (
      <p role="alert" className="text-err text-row">
        The messages could not be loaded.{' '}
        <button type="button" onClick={() => void own.refetch()} className="underline">
          Try again
        </button>
      </p>
    );
  if (own.isEmpty) return <NoMessages {...props} />;
  if (!talk || !own.data) return <SkeletonCards label="Loading messages" />;
  if (talk.history.length + talk.asked.length + talk.answered.length === 0 && talk.system === '') return <NoMessages {...props} />;
  return (
    <>
      <TurnPrompt {...props} system={talk.system} before={promptBefore} />
      <Conversation {...props} spans={own.data} talk={talk} />
    </>
  );
}

/** Opened by their own buttons only. */
const promptOf = (turn: ListedTrace) => `prompt of ${turn.id}`;
const historyOf = (turn: ListedTrace) => `history of ${turn.id}`;

const samePromptNote = ({ turns, areAll }: TurnContext['samePrompt']) =>
  turns < 2 ? '' : ` It is the same in ${areAll ? 'all' : 'the'} ${count(turns)} turns${areAll ? '' : ' that have messages'}.`;

function TurnPrompt(props: Pick<TurnContext, 'turn' | 'samePrompt' | 'texts' | 'number'> & { system: string; before: string }) {
  const { turn, number, samePrompt, texts, system, before } = props;
  if (number > 1 && system === before) return null;
  if (system === '' && before === '') return null;
  const isChange = before !== '';
  const note =
    system === ''
      ? 'This turn has no system prompt.'
      : isChange
        ? `The system prompt changed here: ${plural(system.length, 'character')}, before ${count(before.length)}.`
        : `System prompt, ${plural(system.length, 'character')}.${samePromptNote(samePrompt)}`;
  return (
    <SystemPrompt
      text={system}
      note={note}
      isChange={isChange}
      isOpen={texts.isOpen(promptOf(turn), '')}
      onToggle={() => texts.toggle(promptOf(turn), '')}
    />
  );
}

function Conversation({ turn, same, texts, draw, drawAgents, spans, talk }: TurnContext & { spans: TurnSpans; talk: TurnTalk }) {
  const input = { traceId: turn.id, spanId: turn.input_span ?? '' };
  const output = { traceId: turn.id, spanId: turn.output_span ?? '' };
  const show = (cards: readonly Card[], side: string, owner: typeof input) =>
    cards.map((card) => <TurnCard key={`${side} ${card.key}`} id={`${side} ${card.key}`} {...{ card, owner, texts, draw }} />);
  const isHistoryOpen = texts.isOpen(historyOf(turn), '');
  const isPreview = [spans.input, spans.output].some((span) => (span?.truncated_fields ?? []).length > 0);
  const failure = spans.output?.status_message || spans.input?.status_message || '';
  return (
    <>
      {talk.history.length > 0 && (
        <Said who="" edge="border-transparent">
          <button
            type="button"
            aria-expanded={isHistoryOpen}
            onClick={() => texts.toggle(historyOf(turn), '')}
            className="w-fit text-fg-3 text-label hover:text-fg"
          >
            {`${isHistoryOpen ? '▾' : '▸'} ${plural(talk.history.length, 'earlier message')} sent along`}
          </button>
        </Said>
      )}
      {isHistoryOpen && show(talk.history, 'history', input)}
      {same && <SameQuestion turn={turn} same={same} question={talk.question} />}
      {show(talk.asked, 'asked', input)}
      <Agents turn={turn} texts={texts} drawAgents={drawAgents} />
      {show(talk.answered, 'answered', output)}
      {isPreview && (
        <Text as="p" size="label" tone="warm">
          Only a preview is shown: the messages of this turn have more than 4 million characters. Open the trace to read the whole.
        </Text>
      )}
      <TurnFailure turn={turn} known={failure} />
    </>
  );
}

interface TurnCardProps {
  card: Card;
  id: string;
  owner: { traceId: string; spanId: string };
  texts: OpenTexts;
  draw: DrawCards;
}

function TurnCard({ card, id, owner, texts, draw }: TurnCardProps) {
  const who = card.name && card.type !== 'tool' ? `${card.role} ${card.name}` : card.role;
  const edge = card.role === 'assistant' || card.role === 'model' ? 'border-llm' : 'border-line-2';
  if (card.type !== 'text')
    return (
      <Said who="" edge="border-transparent">
        {draw([card], owner)}
      </Said>
    );
  const media = card.media.map((part, i): Card => ({ ...card, key: `${card.key}.${i}`, type: 'media', media: part }));
  return (
    <Said who={who} edge={edge}>
      <TurnText text={card.text} isOpen={texts.isOpen(owner.traceId, id)} onToggle={() => texts.toggle(owner.traceId, id)} />
      {media.length > 0 && draw(media, owner)}
    </Said>
  );
}

/** Previews are cut, so the texts of both turns decide whether the question is the same. */
function SameQuestion({ turn, same, question }: { turn: ListedTrace; same: { turn: ListedTrace; number: number }; question: string }) {
  const { data } = useSpeakers(same.turn);
  const earlier = useMemo(() => (data ? turnTalk(data, undefined).question : ''), [data]);
  if (question === '' || earlier !== question) return null;
  const later = elapsed(Date.parse(turn.start) - Date.parse(same.turn.start));
  return (
    <Said who="" edge="border-transparent">
      <p className="flex items-center gap-1.5 text-label text-warm">
        <Icon of={Repeat2} />
        {`Same question as turn ${count(same.number)}, asked again ${later} later`}
      </p>
    </Said>
  );
}

/** A trace with fewer spans has no agent that calls another one with a model. */
const spansMin = 4;
/** Reading the outline of a larger trace takes longer than a conversation may. */
const spansMax = 20_000;

function Agents({ turn, texts, drawAgents }: Pick<TurnContext, 'turn' | 'texts' | 'drawAgents'>) {
  if (turn.span_count < spansMin || turn.span_count > spansMax) return null;
  const owner = `agents of ${turn.id}`;
  return drawAgents({ traceId: turn.id, isOpen: (id) => texts.isOpen(owner, id), onToggle: (id) => texts.toggle(owner, id) });
}

const NoMessages = (props: Pick<TurnContext, 'turn' | 'texts' | 'drawAgents'>) => (
  <>
    <Text as="p" size="label" tone="dim">
      This turn recorded no question and no answer.
    </Text>
    <Agents {...props} />
    <TurnFailure turn={props.turn} known="" />
  </>
);
