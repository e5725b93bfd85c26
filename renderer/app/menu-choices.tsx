import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '../ui/primitives/icon.tsx';
import { Text } from '../ui/primitives/text.tsx';

/** Choices in the menu of app and account, one group for each kind. */
export const itemStyle = 'flex h-row w-full items-center gap-2 rounded-control px-2 text-left text-fg-2 hover:bg-hover hover:text-fg';

export const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="border-line border-b py-1 first:pt-0 last:border-b-0 last:pb-0">
    <Text as="h2" size="label" tone="dim" cut className="block px-2 py-1" title={title}>
      {title}
    </Text>
    {children}
  </section>
);

export const Choice = ({ isOn, onChoose, children }: { isOn: boolean; onChoose: () => void; children: string }) => (
  <button type="button" aria-pressed={isOn} onClick={onChoose} className={itemStyle}>
    <span className="grid w-4 shrink-0 place-items-center text-accent">{isOn && <Icon of={Check} size="small" />}</span>
    <span className="truncate" title={children}>
      {children}
    </span>
  </button>
);
