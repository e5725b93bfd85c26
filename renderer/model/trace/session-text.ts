/** A session as plain text, to paste it elsewhere. */
import type { Card } from './conversation.ts';
import type { TurnTalk } from './session-turns.ts';

export interface TextTurn {
  number: number;
  name: string;
  /** When it started, as the reader sees it. */
  when: string;
  /** `Failed`, `2 errors inside`; '' for neither. */
  outcome: string;
  talk: TurnTalk;
}

function cardText(card: Card): string {
  switch (card.type) {
    case 'text':
    case 'reasoning':
      return card.text.trim();
    case 'data':
      return JSON.stringify(card.value, null, 2);
    case 'tool':
      return card.called
        ? `calls ${card.name}(${JSON.stringify(card.args ?? {})})`
        : `${card.name} returned ${JSON.stringify(card.result?.value ?? null)}`;
    case 'media':
      return `[${card.media.mimeType || card.media.modality}]`;
    case 'omitted':
      return `[${card.count} messages]`;
  }
}

const said = (card: Card) => `${card.name && card.type !== 'tool' ? `${card.role} ${card.name}` : card.role}: ${cardText(card)}`;

/** The questions and answers of the turns. The system prompt stands once, before the first turn, and again where it changes. */
export function sessionText(turns: readonly TextTurn[]): string {
  let system = '';
  return turns
    .map(({ number, name, when, outcome, talk }) => {
      const prompt = talk.system !== '' && talk.system !== system ? [`system: ${talk.system}`] : [];
      system = talk.system;
      const head = `Turn ${number}: ${[name, when, outcome].filter(Boolean).join(', ')}`;
      return [head, ...prompt, ...talk.asked.map(said), ...talk.answered.map(said)].join('\n\n');
    })
    .join('\n\n---\n\n');
}
