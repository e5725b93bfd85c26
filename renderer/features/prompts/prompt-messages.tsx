import type { TemplateMessage, TemplateView } from '../../model/text/template-view.ts';
import { Card } from '../../ui/primitives/card.tsx';
import { CopyIcon } from '../../ui/primitives/copy-button.tsx';
import { Pill } from '../../ui/primitives/pill.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { UsedBy } from './used-by.tsx';

export const textOf = ({ name, pieces }: TemplateMessage) => `${name ? `${name}:\n` : ''}${pieces.map(({ text }) => text).join('')}`;

const pieceStyles = { text: '', expression: 'rounded-key bg-mark px-0.5 font-mono text-row', tag: 'font-mono text-accent text-row' };

/** Messages of a prompt with their variables, and where it is used. @param dataset dataset in its test settings */
export function PromptMessages({ view, path, dataset }: { view: TemplateView; path: string; dataset: string | null }) {
  return (
    <>
      <NameList label="Variables" names={view.variables} none="None" />
      {view.elements.length > 0 && <NameList label="Elements" names={view.elements} none="" />}
      {view.messages.map((message, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no identity but their position
        <Card key={i} head={message.name || 'Text'} actions={<CopyIcon text={() => textOf(message)} label="Copy message" />}>
          <p className="wrap-anywhere whitespace-pre-wrap text-body">
            {message.pieces.map(({ kind, text }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their position
              <span key={at} className={pieceStyles[kind]}>
                {text}
              </span>
            ))}
          </p>
        </Card>
      ))}
      <Text as="p" size="label" tone="dim">
        {`${path}. Imports are inlined; expressions are shown as written, not evaluated.`}
      </Text>
      <UsedBy name={view.name} path={path} dataset={dataset} />
    </>
  );
}

const NameList = ({ label, names, none }: { label: string; names: readonly string[]; none: string }) => (
  <p className="flex flex-wrap items-center gap-1.5">
    <Text size="label" tone="dim">
      {label}
    </Text>
    {names.length === 0 ? <Text tone="dim">{none}</Text> : names.map((name) => <Pill key={name}>{name}</Pill>)}
  </p>
);
