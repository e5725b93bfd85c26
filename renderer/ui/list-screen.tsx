import type { ReactNode } from 'react';
import { plural } from '../model/format.ts';
import { Text } from './text.tsx';

/** The parts that every screen of one list is made of. */
export function ScreenHeader({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="flex h-header shrink-0 items-center gap-2 border-line border-b px-pad">
      <Text as="h1" size="title" strong>
        {title}
      </Text>
      {children}
    </header>
  );
}

export const ListBar = ({ children }: { children: ReactNode }) => (
  <div className="flex h-header shrink-0 items-center gap-2 border-line border-b px-pad">{children}</div>
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
