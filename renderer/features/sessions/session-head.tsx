import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CopyIcon } from '../../ui/primitives/copy-button.tsx';
import { Text } from '../../ui/primitives/text.tsx';

/** Name and id of a session. The children are its actions. */
export const SessionHead = ({ sessionId, name, children }: { sessionId: string; name: string; children: ReactNode }) => (
  <header className="flex h-header shrink-0 items-center gap-2 border-line border-b px-pad">
    <Link to="/sessions" className="shrink-0 text-body text-fg-3 hover:text-fg">
      Sessions /
    </Link>
    <Text as="h1" size="title" strong cut title={name || sessionId}>
      {name || sessionId}
    </Text>
    {name !== '' && (
      <Text size="label" tone="dim" mono cut>
        {sessionId}
      </Text>
    )}
    <CopyIcon text={() => sessionId} label="Copy session ID" />
    <Link to="/traces" search={{ session_id: sessionId }} className="ml-auto shrink-0 text-fg-2 text-row hover:text-fg hover:underline">
      Show traces
    </Link>
    {children}
  </header>
);
