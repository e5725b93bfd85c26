import { useState } from 'react';
import { useServed } from '../../api/served.ts';
import type { Target } from '../../model/setup/setup-lines.ts';
import { Text } from '../../ui/primitives/text.tsx';
import { CodeStep } from './code-step.tsx';
import { McpArrival } from './mcp-arrival.tsx';
import { mcpPrograms } from './mcp-programs.ts';
import { OptionCard } from './option-card.tsx';
import { ShareWindow } from './share-window.tsx';

/** Lets coding agents read traces: how each is configured, whether it has connected, and whether it sees this window. */
export function McpCards({ target }: { target: Target }) {
  const isServed = useServed();
  const [openId, open] = useState<string | null>(null);
  if (!isServed('mcp')) return null;
  const programs = mcpPrograms(target);
  const program = programs.find(({ id }) => id === openId);
  return (
    <section aria-label="Let a coding agent read traces" className="grid grid-cols-[minmax(0,1fr)] gap-3 border-line border-t pt-3">
      <div className="grid gap-1">
        <Text as="h2" size="section" strong>
          Let a coding agent read traces
        </Text>
        <Text as="p" size="body" tone="quiet">
          Your agent can then answer what the last run did, which step failed and why, what it cost, and what differs from a run that
          worked. It can only read{target.appId === null ? '' : ', with a key that has the permissions trace.read and span.read'}.
        </Text>
      </div>
      <div className="grid gap-2 split:grid-cols-3">
        {programs.map(({ id, name, about }) => (
          <OptionCard key={id} name={name} about={about} isOpen={id === openId} onOpen={() => open(id === openId ? null : id)} />
        ))}
      </div>
      {program?.steps.map(({ title, code }) => (
        <CodeStep key={`${program.id} ${title}`} title={title} code={code} />
      ))}
      {program && <McpArrival key={program.id} program={program} />}
      {isServed('viewer_windows') && <ShareWindow />}
      <Text as="p" tone="quiet">
        Other programs: the address is <code className="font-mono">{`${target.origin}/mcp`}</code>, or the command{' '}
        <code className="font-mono">glasshouse mcp</code>. What an agent should know is at{' '}
        <code className="font-mono">{`${target.origin}/llms.txt`}</code>.
      </Text>
    </section>
  );
}
