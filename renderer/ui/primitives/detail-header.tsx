import type { ReactNode } from 'react';
import { Text } from './text.tsx';

/** Header of a detail page: back link, name and actions. */
export const DetailHeader = ({ parent, title, children }: { parent: ReactNode; title: string; children?: ReactNode }) => (
  <header className="flex h-header shrink-0 items-center gap-2 border-line border-b px-pad">
    <span className="shrink-0 text-fg-2 text-row [&_a:hover]:text-fg [&_a:hover]:underline">{parent} /</span>
    <Text as="h1" size="title" strong cut className="mr-2" title={title}>
      {title}
    </Text>
    {children}
  </header>
);
