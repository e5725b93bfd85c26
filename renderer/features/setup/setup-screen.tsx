import type { ReactNode } from 'react';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { LastArrived, OpenFirst, WhatNext } from './arrived.tsx';
import { CodingAgents } from './coding-agent-cards.tsx';
import { GuideList } from './guide-list.tsx';
import { KeyStep } from './key-step.tsx';
import { Listening } from './listening.tsx';
import { McpCards } from './mcp-cards.tsx';
import { QuickStarts } from './quick-starts.tsx';
import { useTarget } from './use-target.ts';

interface SetupScreenProps {
  isFirstRun?: boolean;
  /** Opens the first trace that arrives. */
  opensFirst?: boolean;
  /** What there is already on this machine. */
  history: ReactNode;
}

/** Setup screen: shown instead of the traces list until the first span arrives, and as a page of its own. */
export function SetupScreen({ isFirstRun = false, opensFirst = false, history }: SetupScreenProps) {
  const setting = useTarget();
  const { target } = setting;
  return (
    <>
      <title>{isFirstRun ? 'Glasshouse' : 'Set up · Glasshouse'}</title>
      <ScreenHeader title={isFirstRun ? 'Send the first trace' : 'Set up'} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-measure grid-cols-[minmax(0,1fr)] gap-4 p-4">
          <WhatNext opensFirst={opensFirst} isForTeam={target.appId !== null} />
          {opensFirst && <OpenFirst />}
          {history}
          <Listening>{!isFirstRun && <LastArrived />}</Listening>
          {target.appId !== null && <KeyStep setting={setting} />}
          <QuickStarts target={target} />
          <CodingAgents target={target} />
          <McpCards target={target} />
          <GuideList target={target} />
        </div>
      </div>
    </>
  );
}
