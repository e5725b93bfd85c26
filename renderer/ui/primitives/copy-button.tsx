import { Check, Copy, ReceiptText } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

const shownMs = 1500;

type Outcome = 'copied' | 'refused';

/** Returns the text to copy, or a promise of it. */
type TextSource = () => string | Promise<string>;

/** @returns the outcome of the last copy, for a moment, and what copies */
function useCopy(text: TextSource): [Outcome | null, () => void] {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), shownMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () => {
    void copyText(text).then((isCopied) => setOutcome(isCopied ? 'copied' : 'refused'));
  };
  return [outcome, copy];
}

/** @returns whether the browser copied it */
export async function copyText(text: TextSource): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(await text());
    return true;
  } catch {
    return false;
  }
}

const outcomeLabels = { copied: 'Copied', refused: 'The browser refused to copy' };

/** `text` is called only when copied, because it may be expensive. */
export function CopyButton({ text, label = 'Copy' }: { text: TextSource; label?: string }) {
  const [outcome, copy] = useCopy(text);
  return (
    <Button onClick={copy}>
      <Icon of={outcome === 'copied' ? Check : Copy} size="small" />
      <span aria-live="polite">{outcome ? outcomeLabels[outcome] : label}</span>
    </Button>
  );
}

/** `pair` copies a name together with its value, and has another icon. */
export function CopyIcon({ text, label, kind = 'value' }: { text: TextSource; label: string; kind?: 'value' | 'pair' }) {
  const [outcome, copy] = useCopy(text);
  return (
    <IconButton label={outcome ? outcomeLabels[outcome] : label} onClick={copy}>
      <Icon of={outcome === 'copied' ? Check : kind === 'pair' ? ReceiptText : Copy} size="small" />
    </IconButton>
  );
}
