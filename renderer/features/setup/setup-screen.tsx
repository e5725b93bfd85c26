import { useState } from 'react';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { LastArrived, OpenFirst, WhatNext } from './arrived.tsx';
import { CodeStep } from './code-step.tsx';
import { CodingAgents } from './coding-agent-cards.tsx';
import { KeyStep } from './key-step.tsx';
import { Listening } from './listening.tsx';
import { QuickStarts } from './quick-starts.tsx';
import { type SetupGuide, setupGuides } from './setup-guides.ts';
import { useTarget } from './use-target.ts';

/** Setup screen: shown instead of the traces list until the first span arrives, and as a page of its own. */
export function SetupScreen({ isFirstRun = false }: { isFirstRun?: boolean }) {
  const setting = useTarget();
  const { target } = setting;
  const guides = setupGuides(target);
  const [selected, select] = useState(guides[0]?.id);
  const guide = guides.find(({ id }) => id === selected);
  return (
    <>
      <title>{isFirstRun ? 'Glasshouse' : 'Set up · Glasshouse'}</title>
      <ScreenHeader title={isFirstRun ? 'Send the first trace' : 'Set up'} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-measure grid-cols-[minmax(0,1fr)] gap-4 p-4">
          <WhatNext isFirstRun={isFirstRun} isForTeam={target.appId !== null} />
          {isFirstRun && <OpenFirst />}
          <Listening>{!isFirstRun && <LastArrived />}</Listening>
          {target.appId !== null && <KeyStep setting={setting} />}
          <QuickStarts target={target} />
          <CodingAgents target={target} />
          <Text as="h2" size="section" strong>
            Manual setup
          </Text>
          <div className="grid grid-cols-[var(--spacing-side)_minmax(0,1fr)] gap-4">
            <ul className="grid content-start gap-hair">
              {guides.map(({ id, label }) => (
                <li key={id}>
                  <button
                    type="button"
                    aria-pressed={id === selected}
                    onClick={() => select(id)}
                    className="h-row w-full truncate rounded-control px-2 text-left text-fg-2 text-row hover:bg-hover hover:text-fg aria-pressed:bg-select aria-pressed:text-fg"
                  >
                    {label}
                  </button>
                </li>
              ))}
            </ul>
            {guide && <Steps guide={guide} />}
          </div>
        </div>
      </div>
    </>
  );
}

const Steps = ({ guide }: { guide: SetupGuide }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
    <Text as="p" size="body" tone="dim">
      {guide.when}
    </Text>
    {guide.steps.map(({ title, code }) => (
      <CodeStep key={`${guide.id} ${title}`} title={title} code={code} />
    ))}
  </div>
);
