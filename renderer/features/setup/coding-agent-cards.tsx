import { useState } from 'react';
import type { Target } from '../../model/setup/setup-lines.ts';
import { Text } from '../../ui/primitives/text.tsx';
import { CodeStep } from './code-step.tsx';
import { codingAgents } from './coding-agents.ts';
import { OptionCard } from './option-card.tsx';

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
          <OptionCard
            key={option.id}
            name={option.name}
            about={option.about}
            isOpen={option.id === openId}
            onOpen={() => open(option.id === openId ? null : option.id)}
          />
        ))}
      </div>
      {agent?.steps.map(({ title, code }) => (
        <CodeStep key={`${agent.id} ${title}`} title={title} code={code} />
      ))}
    </section>
  );
}
