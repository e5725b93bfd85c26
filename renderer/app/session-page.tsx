import { SessionScreen } from '../features/sessions/session-screen.tsx';
import type { DrawCards } from '../features/sessions/turn-messages.tsx';
import { MessageCard } from '../features/trace/detail/message-card.tsx';
import { MediaSpan } from '../features/trace/detail/message-media.tsx';

const draw: DrawCards = (cards, owner) => (
  <MediaSpan value={owner}>
    {cards.map((card) => (
      <MessageCard key={card.key} card={card} />
    ))}
  </MediaSpan>
);

/** Session page, with messages drawn like those of a trace. */
export const SessionPage = () => <SessionScreen draw={draw} />;
