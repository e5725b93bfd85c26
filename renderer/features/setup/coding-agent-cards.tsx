import { useState } from 'react';
import type { Target } from '../../model/setup/setup-lines.ts';
import { Text } from '../../ui/primitives/text.tsx';
import { CodeStep } from './code-step.tsx';
import { type CodingAgent, codingAgents } from './coding-agents.ts';

/** Setup guides for coding agents, which need no code change. */
export function CodingAgents({ target }: { target: Target }) {
  const agents = codingAgents(target);
  const [openId, open] = useState<string | null>(null);
  const agent = agents.find(({ id }) => id === openId);
  return (
    <section aria-label="Coding agents" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Text as="h2" size="section" strong>
        Trace a coding agent
      </Text>
      <div className="grid gap-2 split:grid-cols-3">
        {agents.map((option) => (
          <Card key={option.id} agent={option} isOpen={option.id === openId} onOpen={() => open(option.id === openId ? null : option.id)} />
        ))}
      </div>
      {agent?.steps.map(({ title, code }) => (
        <CodeStep key={`${agent.id} ${title}`} title={title} code={code} />
      ))}
    </section>
  );
}

const Card = ({ agent: { name, about }, isOpen, onOpen }: { agent: CodingAgent; isOpen: boolean; onOpen: () => void }) => (
  <button
    type="button"
    aria-expanded={isOpen}
    onClick={onOpen}
    className="grid content-start gap-1 rounded-control border border-line bg-panel p-3 text-left hover:bg-hover aria-expanded:border-accent"
  >
    <Text as="span" size="body" strong>
      {name}
    </Text>
    <Text as="span" tone="quiet">
      {about}
    </Text>
  </button>
);
