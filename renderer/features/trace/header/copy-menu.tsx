import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { SpanNode } from '../../../model/trace/span-node.ts';
import { Action, ActionMenu } from '../../../ui/overlays/action-menu.tsx';
import { Button } from '../../../ui/primitives/button.tsx';
import { copyText } from '../../../ui/primitives/copy-button.tsx';
import { Icon } from '../../../ui/primitives/icon.tsx';
import { useKeys } from '../../../ui/primitives/keys.tsx';
import { asCommand, asJson, asOtlp, asSummary } from './copies.ts';

interface Entry {
  label: string;
  about: string;
  text: () => Promise<string>;
}

function entries(node: SpanNode): Entry[] {
  const { span } = node;
  const model = { label: 'curl', about: 'repeats the model call, with $KEY for the API key', text: () => asCommand(span) };
  return [
    { label: 'AI prompt', about: 'summary of what happened, to paste into a chat', text: () => asSummary(node) },
    { label: 'JSON', about: 'the span as the API returns it', text: () => asJson(span) },
    { label: 'OTLP', about: 'as received, to send again', text: () => asOtlp(span.trace_id, span.id) },
    ...(span.span_kind === 'llm' ? [model] : []),
    { label: 'Span ID', about: span.id, text: () => Promise.resolve(span.id) },
    { label: 'Link', about: 'to this span on this gateway', text: () => Promise.resolve(window.location.href) },
  ];
}

const shownMs = 1500;

type Outcome = 'copied' | 'failed' | 'copying';
const outcomeLabels = { copying: 'Copying…', copied: 'Copied', failed: 'Copy failed' };

/** Copy menu of a span; the key `y` opens it. */
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
    setOutcome((await copyText(text)) ? 'copied' : 'failed');
  };
  return (
    <ActionMenu
      label="Copy"
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button hint="y">
          <Icon of={outcome === 'copied' ? Check : Copy} size="small" />
          <span aria-live="polite">{outcome ? outcomeLabels[outcome] : 'Copy'}</span>
        </Button>
      }
    >
      {entries(node).map((entry) => (
        <Action key={entry.label} label={entry.label} about={entry.about} onSelect={() => void copy(entry)} />
      ))}
    </ActionMenu>
  );
}
