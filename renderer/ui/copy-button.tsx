import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

const shownMs = 1500;

type Outcome = 'copied' | 'refused';

function useCopy(text: () => string): [Outcome | null, () => void] {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), shownMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () => {
    navigator.clipboard.writeText(text()).then(
      () => setOutcome('copied'),
      () => setOutcome('refused'),
    );
  };
  return [outcome, copy];
}

const said = { copied: 'Copied', refused: 'The browser refused to copy' };

/** `text` is asked for only when it is copied: it may be long to write. */
export function CopyButton({ text, label = 'Copy' }: { text: () => string; label?: string }) {
  const [outcome, copy] = useCopy(text);
  return (
    <Button onClick={copy}>
      <Icon of={outcome === 'copied' ? Check : Copy} size="small" />
      <span aria-live="polite">{outcome ? said[outcome] : label}</span>
    </Button>
  );
}

export function CopyIcon({ text, label }: { text: () => string; label: string }) {
  const [outcome, copy] = useCopy(text);
  return (
    <IconButton label={outcome ? said[outcome] : label} onClick={copy}>
      <Icon of={outcome === 'copied' ? Check : Copy} size="small" />
    </IconButton>
  );
}
