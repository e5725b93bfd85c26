import type { ReactNode } from 'react';
import { plural } from '../model/format.ts';
import { Text } from './text.tsx';

/** What the screen is, and what narrows it, in one line: the list begins right below. */
export const ScreenHeader = ({ title, children }: { title: string; children?: ReactNode }) => (
  <header className="flex h-header shrink-0 items-center gap-2 border-line border-b px-pad">
    <Text as="h1" size="title" strong className="mr-2 shrink-0">
      {title}
    </Text>
    {children}
  </header>
);

/** Says that rows wait, where nothing moves when it comes and goes. */
export function NewRows({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <span aria-live="polite" className="ml-auto shrink-0">
      {count > 0 && (
        <button type="button" onClick={onShow} className="h-pill rounded-pill bg-select px-2 text-accent text-label hover:text-fg">
          {`${plural(count, 'new', 'new')} — show`}
        </button>
      )}
    </span>
  );
}
