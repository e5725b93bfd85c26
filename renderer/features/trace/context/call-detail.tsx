import { ChevronDown, ChevronUp } from 'lucide-react';
import { cost, count, duration, percent, tokens } from '../../../model/text/format.ts';
import { milliseconds } from '../../../model/time/time.ts';
import { waitedLonger } from '../../../model/trace/context-breaks.ts';
import { promptTokens } from '../../../model/trace/context-verdicts.ts';
import { Button, IconButton } from '../../../ui/primitives/button.tsx';
import { Icon } from '../../../ui/primitives/icon.tsx';
import { KindIcon } from '../../../ui/primitives/kind-icon.tsx';
import { Pill } from '../../../ui/primitives/pill.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import type { Chosen } from './use-chosen.ts';

/** The figures of the chosen call. */
export function CallDetail({ chosen, onOpen }: { chosen: Chosen; onOpen: () => void }) {
  const { window, call, index } = chosen;
  const last = window.calls.length - 1;
  const sent = promptTokens(call);
  const input = call.input_tokens === null ? `about ${tokens(sent)} in` : `${tokens(sent)} in`;
  const isLate = call.cache_loss !== null && waitedLonger(window, call) >= 100;
  return (
    <header className="grid shrink-0 gap-1.5 px-pad pt-2 pb-2.5">
      <div className="flex items-center gap-1.5">
        <KindIcon kind="llm" />
        <Text as="h2" size="section" strong className="shrink-0">{`Call ${count(index + 1)} of ${count(last + 1)}`}</Text>
        <Text tone="dim" cut title={call.model}>
          {call.model}
        </Text>
        <span className="flex-1" />
        <IconButton label="Previous call (k)" disabled={index === 0} onClick={() => chosen.selectCall(index - 1)}>
          <Icon of={ChevronUp} />
        </IconButton>
        <IconButton label="Next call (j)" disabled={index === last} onClick={() => chosen.selectCall(index + 1)}>
          <Icon of={ChevronDown} />
        </IconButton>
        <Button hint="Enter" onClick={onOpen}>
          Open call
        </Button>
      </div>
      <div className="flex flex-wrap gap-1.5">
        {call.is_running && <Pill tone="ok">Running</Pill>}
        {call.is_failed && <Pill tone="err">Failed</Pill>}
        <Pill>{call.output_tokens === null ? input : `${input}, ${tokens(call.output_tokens)} out`}</Pill>
        {window.limit_tokens !== null && sent > 0 && <Pill>{`${percent(sent / window.limit_tokens)} of window`}</Pill>}
        {call.cost !== null && <Pill>{cost(call.cost)}</Pill>}
        {call.first_token_ms !== null && (
          <Pill tone={isLate ? 'warm' : 'plain'}>{`first token ${duration(milliseconds(call.first_token_ms))}`}</Pill>
        )}
      </div>
    </header>
  );
}
