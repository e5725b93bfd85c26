import type { ReactNode } from 'react';
import { plural } from '../../model/text/format.ts';
import { Pill } from '../primitives/pill.tsx';
import { Text } from '../primitives/text.tsx';

/** Title and filters of a screen in one line, with the list directly below. */
export const ScreenHeader = ({ title, children }: { title: string; children?: ReactNode }) => (
  <header className="flex h-header shrink-0 items-center gap-2 border-line border-b px-pad">
    <Text as="h1" size="title" strong className="mr-2 shrink-0">
      {title}
    </Text>
    {children}
  </header>
);

/** Announces new rows, in a place where its appearance moves nothing else. */
export function NewRows({ count, onShow, isOld, onRefresh }: { count: number; onShow: () => void; isOld: boolean; onRefresh: () => void }) {
  return (
    <span aria-live="polite" className="ml-auto flex shrink-0 gap-2">
      {isOld && (
        <Pill tone="err" title="The last refresh failed; this data may be out of date" onClick={onRefresh}>
          not up to date — try again
        </Pill>
      )}
      {count > 0 && (
        <button type="button" onClick={onShow} className="h-pill rounded-pill bg-select px-2 text-accent text-label hover:text-fg">
          {plural(count, 'new trace')}
        </button>
      )}
    </span>
  );
}
