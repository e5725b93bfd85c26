import { Scissors, ScrollText } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { count } from '../../model/text/format.ts';
import { parseNestedJson } from '../../model/trace/messages.ts';
import { cutText } from '../../model/trace/session-turns.ts';
import { Icon } from '../../ui/primitives/icon.tsx';
import { KeyCap } from '../../ui/primitives/key-cap.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { MessageText } from '../../ui/viewers/message-text.tsx';

/** Which texts are shown whole. Kept above the turns, because those that are scrolled out of view are not rendered. */
export interface OpenTexts {
  isOpen: (owner: string, text: string) => boolean;
  toggle: (owner: string, text: string) => void;
  /** Opens all texts of an owner, or closes them. */
  toggleAll: (owner: string) => void;
}

export function useOpenTexts(): OpenTexts {
  const [all, setAll] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [single, setSingle] = useState<ReadonlyMap<string, boolean>>(new Map());
  return useMemo(() => {
    const key = (owner: string, text: string) => `${owner} ${text}`;
    const isOpen = (owner: string, text: string) => single.get(key(owner, text)) ?? all.get(owner) ?? false;
    return {
      isOpen,
      toggle: (owner, text) => setSingle(new Map(single).set(key(owner, text), !isOpen(owner, text))),
      toggleAll: (owner) => {
        setAll(new Map(all).set(owner, !all.get(owner)));
        setSingle(new Map([...single].filter(([name]) => !name.startsWith(`${owner} `))));
      },
    };
  }, [all, single]);
}

/** Message of a turn: who, and what. */
export const Said = ({ who, edge, children }: { who: string; edge: string; children: ReactNode }) => (
  <div className="grid grid-cols-[var(--width-total)_minmax(0,1fr)] gap-2 max-split:grid-cols-1 max-split:gap-0.5">
    <Text size="label" tone="dim" cut className="pt-0.5 text-right max-split:text-left" title={who}>
      {who}
    </Text>
    <div className={`grid min-w-0 gap-1.5 border-l-2 pl-2.5 ${edge}`}>{children}</div>
  </div>
);

interface TurnTextProps {
  text: string;
  isOpen: boolean;
  onToggle: () => void;
}

/** Text of a message. A long one is visibly cut, and opens in place. */
export function TurnText({ text, isOpen, onToggle }: TurnTextProps) {
  const cut = cutText(text);
  if (!cut) return <MessageText text={text} form={formOf(text)} isWhole />;
  return (
    <>
      {isOpen ? <MessageText text={text} form={formOf(text)} isWhole /> : <MessageText text={cut.head} form={formOf(cut.head)} isWhole />}
      <CutLine
        icon={<Icon of={Scissors} />}
        text={isOpen ? `All ${count(cut.length)} characters are shown` : `${count(cut.shown)} of ${count(cut.length)} characters are shown`}
        isOpen={isOpen}
        onToggle={onToggle}
      />
    </>
  );
}

const formOf = (text: string) => (typeof parseNestedJson(text) === 'object' ? 'json' : 'markdown');

interface CutLineProps {
  icon: ReactNode;
  text: string;
  isOpen: boolean;
  onToggle: () => void;
}

const CutLine = ({ icon, text, isOpen, onToggle }: CutLineProps) => (
  <div className="flex min-h-row flex-wrap items-center gap-2 rounded-card border border-line-2 border-dashed px-2.5 text-label">
    <span className="text-fg-3">{icon}</span>
    <Text size="label" tone="quiet" className="tabular-nums">
      {text}
    </Text>
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className="ml-auto flex items-center gap-1.5 text-accent hover:underline"
    >
      {isOpen ? 'Show less' : 'Open the whole'}
      <KeyCap>o</KeyCap>
    </button>
  </div>
);

interface SystemPromptProps extends TurnTextProps {
  /** What is to be said of the prompt, for example that it changed. */
  note: string;
  isChange: boolean;
}

/** The system prompt as one line with its true length; it opens in place. */
export const SystemPrompt = ({ text, note, isChange, isOpen, onToggle }: SystemPromptProps) => (
  <section aria-label="System prompt" className="grid min-w-0 gap-1.5 pl-[calc(var(--width-total)+var(--spacing)*2)] max-split:pl-0">
    <div className="flex flex-wrap items-center gap-2 text-label">
      <span className="text-fg-3">
        <Icon of={ScrollText} />
      </span>
      <Text size="label" tone={isChange ? 'warm' : 'dim'} className="tabular-nums">
        {note}
      </Text>
      {text !== '' && (
        <button type="button" aria-expanded={isOpen} onClick={onToggle} className="text-accent hover:underline">
          {isOpen ? 'Close' : 'Open the whole'}
        </button>
      )}
    </div>
    {isOpen && (
      <div className="rounded-card border border-line bg-panel px-2.5 py-2">
        <MessageText text={text} form={formOf(text)} isWhole />
      </div>
    )}
  </section>
);
