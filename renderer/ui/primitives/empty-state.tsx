import type { ReactNode } from 'react';
import { Text } from './text.tsx';

interface EmptyStateProps {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** It is all that the page shows. */
  isPage?: boolean;
}

/** Empty state with the next step. */
export function EmptyState({ title, children, action, isPage = false }: EmptyStateProps) {
  return (
    <div className="grid h-full place-content-center justify-items-center gap-2 p-pad text-center">
      <Text as={isPage ? 'h1' : 'h2'} size="section" strong>
        {title}
      </Text>
      <Text as="p" size="body" tone="dim" className="max-w-form">
        {children}
      </Text>
      {action && <div className="flex gap-2 pt-1">{action}</div>}
    </div>
  );
}
