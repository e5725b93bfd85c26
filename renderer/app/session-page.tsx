import { SessionScreen } from '../features/sessions/session-screen.tsx';
import type { DrawAgents, DrawCards, DrawWork } from '../features/sessions/turn-messages.tsx';
import { SessionWork } from '../features/trace/agents/session-work.tsx';
import { SubAgents } from '../features/trace/agents/sub-agents.tsx';
import { MessageCard } from '../features/trace/detail/message-card.tsx';
import { MediaSpan } from '../features/trace/detail/message-media.tsx';

const draw: DrawCards = (cards, owner) => (
  <MediaSpan value={owner}>
    {cards.map((card) => (
      <MessageCard key={card.key} card={card} />
    ))}
  </MediaSpan>
);

const drawAgents: DrawAgents = (turn) => <SubAgents {...turn} />;

const drawWork: DrawWork = (turns, onTurn) => <SessionWork turns={turns} onTurn={onTurn} />;

/** Session page, with messages and agents drawn like those of a trace. */
export const SessionPage = () => <SessionScreen draw={draw} drawAgents={drawAgents} drawWork={drawWork} />;
