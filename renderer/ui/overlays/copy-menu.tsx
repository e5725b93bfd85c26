import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../primitives/button.tsx';
import { copyText } from '../primitives/copy-button.tsx';
import { Icon } from '../primitives/icon.tsx';
import { useKeys } from '../primitives/keys.tsx';
import { Action, ActionMenu } from './action-menu.tsx';

export interface CopyEntry {
  label: string;
  about: string;
  text: () => string | Promise<string>;
}

const shownMs = 1500;

type Outcome = 'copied' | 'failed' | 'copying';
const outcomeLabels = { copying: 'Copying…', copied: 'Copied', failed: 'Copy failed' };

/** Menu of what can be copied; the key `y` opens it. @param scope group of its key in the sheet */
export function CopyMenu({ scope, entries }: { scope: string; entries: readonly CopyEntry[] }) {
  const [isOpen, setOpen] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  useKeys(scope, [{ on: ['y'], label: 'Copy menu', run: () => setOpen(true) }]);
  useEffect(() => {
    if (!outcome || outcome === 'copying') return;
    const timer = setTimeout(() => setOutcome(null), shownMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async ({ text }: CopyEntry) => {
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
      {entries.map((entry) => (
        <Action key={entry.label} label={entry.label} about={entry.about} onSelect={() => void copy(entry)} />
      ))}
    </ActionMenu>
  );
}
