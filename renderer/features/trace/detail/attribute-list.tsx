import { Filter, Pin, PinOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { bytes } from '../../../model/text/format.ts';
import { parseNestedJson } from '../../../model/trace/messages.ts';
import { type Attribute, formatValue } from '../../../model/trace/otlp-value.ts';
import { Button, IconButton } from '../../../ui/primitives/button.tsx';
import { CopyIcon } from '../../../ui/primitives/copy-button.tsx';
import { Highlight } from '../../../ui/primitives/highlight.tsx';
import { Icon } from '../../../ui/primitives/icon.tsx';
import { JsonView } from '../../../ui/viewers/json-view.tsx';
import { LongText } from '../../../ui/viewers/long-text.tsx';

/** Shorter texts are shown as they are, even if they are JSON. */
const readableChars = 80;

export interface ShownAttribute extends Attribute {
  /** Set for truncated values: the full size, and a function that renders the full value. */
  cut?: { size: number; open: () => ReactNode };
}

/** Actions on an attribute, besides copying. */
export interface AttributeTools {
  isPinned: (key: string) => boolean;
  onPin: (key: string) => void;
  /** Shows the traces with this value; null when the list cannot be filtered by it. */
  filter: (attribute: Attribute) => (() => void) | null;
}

interface ListProps {
  list: readonly ShownAttribute[];
  tools?: AttributeTools;
  /** Search words, highlighted in keys and short values. */
  words?: string;
}

/** Keys and values as sent. */
export const AttributeList = ({ list, tools, words = '' }: ListProps) => (
  <dl className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
    {list.map((attribute, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a sender may repeat a key
      <Row key={`${i} ${attribute.key}`} attribute={attribute} tools={tools} words={words} />
    ))}
  </dl>
);

function Row({ attribute, tools, words }: { attribute: ShownAttribute; tools: AttributeTools | undefined; words: string }) {
  const { key, value, cut } = attribute;
  return (
    <div className="group col-span-2 grid grid-cols-subgrid border-line border-b py-1">
      <dt className="wrap-anywhere flex items-start gap-1 pr-3 font-mono text-fg-2 text-row">
        {tools?.isPinned(key) && (
          <span title="Pinned" className="pt-0.5 text-accent">
            <Icon of={Pin} size="small" />
          </span>
        )}
        <span className="min-w-0">
          <Highlight text={key} query={words} />
        </span>
      </dt>
      <dd className="relative min-w-0 font-mono text-row">
        <Value value={value} words={words} />
        {cut && <FullValue cut={cut} />}
        <span className="absolute -top-1 right-0 flex rounded-control bg-bg opacity-0 focus-within:opacity-100 group-hover:opacity-100">
          <Tools attribute={attribute} tools={tools} />
        </span>
      </dd>
    </div>
  );
}

function Tools({ attribute, tools }: { attribute: ShownAttribute; tools: AttributeTools | undefined }) {
  const { key, value } = attribute;
  const filter = tools?.filter(attribute);
  return (
    <>
      {filter && (
        <IconButton label={`Show traces with this ${key}`} onClick={filter}>
          <Icon of={Filter} size="small" />
        </IconButton>
      )}
      {tools && (
        <IconButton label={tools.isPinned(key) ? `Unpin ${key}` : `Pin ${key}`} onClick={() => tools.onPin(key)}>
          <Icon of={tools.isPinned(key) ? PinOff : Pin} size="small" />
        </IconButton>
      )}
      <CopyIcon text={() => `${key}: ${formatValue(value)}`} label={`Copy key and value of ${key}`} kind="pair" />
      <CopyIcon text={() => formatValue(value)} label={`Copy value of ${key}`} />
    </>
  );
}

function Value({ value, words }: { value: unknown; words: string }) {
  const read = typeof value === 'string' && value.length > readableChars ? parseNestedJson(value) : value;
  if (typeof read === 'object' && read !== null) return <JsonView value={read} open={1} />;
  const text = formatValue(read);
  if (words !== '' && text.length <= 1000)
    return (
      <p className="wrap-anywhere whitespace-pre-wrap">
        <Highlight text={text} query={words} />
      </p>
    );
  return <LongText text={text} mono />;
}

function FullValue({ cut: { size, open } }: { cut: NonNullable<ShownAttribute['cut']> }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="grid gap-1 py-1">
      <span>
        <Button pressed={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Close' : `Show all ${bytes(size)}`}
        </Button>
      </span>
      {isOpen && open()}
    </div>
  );
}
