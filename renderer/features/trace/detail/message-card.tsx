import { useState } from 'react';
import { plural } from '../../../model/text/format.ts';
import type { Card as ConversationCard } from '../../../model/trace/conversation.ts';
import type { MediaPart } from '../../../model/trace/media.ts';
import { parseNestedJson } from '../../../model/trace/messages.ts';
import { Card } from '../../../ui/primitives/card.tsx';
import { CopyIcon } from '../../../ui/primitives/copy-button.tsx';
import { InlineSelect } from '../../../ui/primitives/inline-select.tsx';
import { type MessageForm, preference, usePreference } from '../../../ui/primitives/preferences.ts';
import { Text } from '../../../ui/primitives/text.tsx';
import { JsonView } from '../../../ui/viewers/json-view.tsx';
import { MessageText } from '../../../ui/viewers/message-text.tsx';
import { MessageMedia } from './message-media.tsx';
import { ToolCard } from './tool-card.tsx';

/** Longer system prompts are collapsed at first, because readers usually know them. In characters. */
const instructionsMax = 600;

/** Card of one message, call or result. Also used by the transcript. */
export function MessageCard({ card }: { card: ConversationCard }) {
  const who = card.name && card.type !== 'tool' ? `${card.role} ${card.name}` : card.role;
  switch (card.type) {
    case 'text':
      return <TextMessage who={who} role={card.role} text={card.text} media={card.media} />;
    case 'reasoning':
      return (
        <Card
          folds="shut"
          head={<Head who={who} about={`reasoning, ${plural(card.text.length, 'character')}`} />}
          actions={<CopyIcon text={() => card.text} label="Copy reasoning" />}
        >
          <MessageText text={card.text} form="plain" dim />
        </Card>
      );
    case 'media':
      return (
        <Card head={<Head who={who} about={card.media.mimeType || card.media.modality} />}>
          <MessageMedia part={card.media} />
        </Card>
      );
    case 'data':
      return (
        <Card head={who} actions={<CopyIcon text={() => JSON.stringify(card.value, null, 2)} label="Copy data" />}>
          <JsonView value={card.value} />
        </Card>
      );
    case 'omitted':
      return (
        <Text as="p" size="label" tone="dim" className="border-line-2 border-y border-dashed py-1 text-center">
          {`${plural(card.count, 'message')} not loaded`}
        </Text>
      );
    case 'tool':
      return <ToolCard card={card} />;
  }
}

const Head = ({ who, about }: { who: string; about: string }) => (
  <>
    <span className="truncate">{who}</span>
    <Text size="label" tone="dim" className="shrink-0 font-normal">
      {about}
    </Text>
  </>
);

const forms: readonly { id: MessageForm; label: string }[] = [
  { id: 'markdown', label: 'Markdown' },
  { id: 'plain', label: 'Plain' },
  { id: 'json', label: 'JSON' },
];

/** Format of a message: JSON for a JSON document, otherwise the last choice for the role. */
function useForm(role: string, text: string): [MessageForm, (form: MessageForm) => void] {
  const [chosen, setChosen] = usePreference(preference.messageForms);
  const [ownForm, setOwnForm] = useState<MessageForm | null>(null);
  const isJson = typeof parseNestedJson(text) === 'object';
  const byRole = Object.hasOwn(chosen, role) ? chosen[role] : undefined;
  const form = ownForm ?? (isJson ? 'json' : byRole === 'json' ? 'markdown' : (byRole ?? 'markdown'));
  return [
    form,
    (next) => {
      setOwnForm(next);
      setChosen({ ...chosen, [role]: next });
    },
  ];
}

function TextMessage({ who, role, text, media }: { who: string; role: string; text: string; media: readonly MediaPart[] }) {
  const [form, setForm] = useForm(role, text);
  const isInstruction = role === 'system' || role === 'developer';
  const isLong = isInstruction && text.length > instructionsMax;
  return (
    <Card
      {...(isInstruction ? { folds: isLong ? ('shut' as const) : ('open' as const) } : {})}
      head={isInstruction ? <Head who={who} about={plural(text.length, 'character')} /> : who}
      actions={
        <>
          <span className="pointer-fine:opacity-0 focus-within:opacity-100 group-hover:opacity-100">
            <InlineSelect label={`Show the ${role} message as`} options={forms} value={form} onChange={setForm} />
          </span>
          <CopyIcon text={() => text} label={`Copy ${role} message`} />
        </>
      }
    >
      <MessageText text={text} form={form} />
      {media.map((part, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: media have no identity but their position
        <div key={i} className="pt-2">
          <MessageMedia part={part} />
        </div>
      ))}
    </Card>
  );
}
