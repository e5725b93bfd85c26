import { Check, Copy } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useEffect, useState } from 'react';
import type { SpanNode } from '../../model/span-node.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useKeys } from '../../ui/keys.tsx';
import { Text } from '../../ui/text.tsx';
import { asCommand, asJson, asOtlp, asSummary } from './copies.ts';

interface Entry {
  label: string;
  about: string;
  text: () => Promise<string>;
}

function entries(node: SpanNode): Entry[] {
  const { span } = node;
  const model = { label: 'curl', about: 'the model call again, with $KEY for the key', text: () => asCommand(span) };
  return [
    { label: 'For an AI', about: 'what happened, shortened to a prompt', text: () => asSummary(node) },
    { label: 'JSON', about: 'the span as the API tells it', text: () => asJson(span) },
    { label: 'OTLP', about: 'as received, to be sent again', text: () => asOtlp(span.trace_id, span.id) },
    ...(span.span_kind === 'llm' ? [model] : []),
    { label: 'Span id', about: span.id, text: () => Promise.resolve(span.id) },
    { label: 'Link', about: 'to this span at this gateway', text: () => Promise.resolve(window.location.href) },
  ];
}

const shownMs = 1500;

type Outcome = 'copied' | 'refused' | 'copying';
const said = { copying: 'Copying…', copied: 'Copied', refused: 'Not copied' };

/** Everything that can be taken of a span, behind `y`. */
export function CopyMenu({ node }: { node: SpanNode }) {
  const [isOpen, setOpen] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  useKeys('Span', [{ on: ['y'], label: 'Copy menu', run: () => setOpen(true) }]);
  useEffect(() => {
    if (!outcome || outcome === 'copying') return;
    const timer = setTimeout(() => setOutcome(null), shownMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async ({ text }: Entry) => {
    setOutcome('copying');
    setOutcome((await copyText(text)) ? 'copied' : 'refused');
  };
  return (
    <DropdownMenu.Root open={isOpen} onOpenChange={setOpen} modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button hint="y">
          <Icon of={outcome === 'copied' ? Check : Copy} size="small" />
          <span aria-live="polite">{outcome ? said[outcome] : 'Copy'}</span>
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          aria-label="Copy"
          className="enter-layer z-50 w-form rounded-card border border-line-2 bg-panel p-1 text-fg shadow-layer"
        >
          {entries(node).map((entry) => (
            <DropdownMenu.Item
              key={entry.label}
              textValue={entry.label}
              onSelect={() => void copy(entry)}
              className="flex min-h-row items-center gap-3 rounded-control px-2 text-row outline-none data-[highlighted]:bg-hover"
            >
              <span className="w-total shrink-0">{entry.label}</span>
              <Text size="label" tone="dim" cut>
                {entry.about}
              </Text>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
