import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../primitives/button.tsx';
import { Icon } from '../primitives/icon.tsx';
import { useKeys } from '../primitives/keys.tsx';
import { Text } from '../primitives/text.tsx';
import { Action, ActionMenu, type ActionProps } from './action-menu.tsx';

interface ExportMenuProps {
  /** Group of its key in the sheet. */
  scope: string;
  /** Such as `Export trace`. */
  label: string;
  /** Text of the button; without it, the button is an icon. */
  text?: string;
  entries: readonly ActionProps[];
  isPending: boolean;
  /** Why the last export failed. */
  problem: string | null;
}

/** Menu of the files that can be downloaded; the key `X` opens it. */
export function ExportMenu({ scope, label, text, entries, isPending, problem }: ExportMenuProps) {
  const [isOpen, setOpen] = useState(false);
  useKeys(scope, [{ on: ['X'], label, run: () => setOpen(true) }]);
  const trigger = text ? (
    <Button hint="X" disabled={isPending}>
      {isPending ? 'Exporting…' : text}
    </Button>
  ) : (
    <IconButton label={isPending ? 'Exporting…' : `${label} (X)`} disabled={isPending}>
      <Icon of={Download} />
    </IconButton>
  );
  return (
    <>
      <ActionMenu label={label} trigger={trigger} isOpen={isOpen} onOpenChange={setOpen}>
        {entries.map((entry) => (
          <Action key={entry.label} {...entry} />
        ))}
      </ActionMenu>
      {problem && (
        <span role="alert" className="min-w-0 truncate">
          <Text size="label" tone="err">
            {problem}
          </Text>
        </span>
      )}
    </>
  );
}
