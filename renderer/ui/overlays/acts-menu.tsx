import { Ellipsis } from 'lucide-react';
import { IconButton } from '../primitives/button.tsx';
import { Icon } from '../primitives/icon.tsx';
import { Action, ActionMenu } from './action-menu.tsx';

/** Something that can be done with what is open or selected. */
export interface Act {
  label: string;
  /** What it does with what, for the sheet of keys and the palette. */
  about: string;
  /** What it acts on, for the menu. */
  of: string;
  key: string;
  /** Why it is not possible; undefined when it is. */
  whyNot: string | undefined;
  run: () => void;
}

/** Bindings of the acts that are possible. */
export const bindingsOf = (acts: readonly Act[]) =>
  acts.filter(({ whyNot }) => whyNot === undefined).map(({ key, about, run }) => ({ on: [key], label: about, run }));

/** Menu of acts. */
export const ActsMenu = ({ label, acts }: { label: string; acts: readonly Act[] }) =>
  acts.length > 0 && (
    <ActionMenu
      label={label}
      trigger={
        <IconButton label={label}>
          <Icon of={Ellipsis} />
        </IconButton>
      }
    >
      {acts.map(({ label: name, of, key, whyNot, run }) => (
        <Action key={key} label={name} about={whyNot ?? of} hint={key} isDisabled={whyNot !== undefined} onSelect={run} />
      ))}
    </ActionMenu>
  );
