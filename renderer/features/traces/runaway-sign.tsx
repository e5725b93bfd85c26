import { Repeat } from 'lucide-react';
import type { ListedRunaway } from '../../../shared/contract/tracing/runaways.ts';
import { runawayReason, worstFirst } from '../../../shared/words/runaway-words.ts';
import { Icon } from '../../ui/primitives/icon.tsx';

/** Marks a trace that may be running away, or did before it ended. */
export function RunawaySign({ found }: { found: readonly ListedRunaway[] }) {
  const [worst] = found.toSorted(worstFirst);
  if (!worst) return null;
  const isRunning = worst.ended_at === null;
  const text = `${isRunning ? 'May be running away' : 'May have run away'}: ${runawayReason(worst)}`;
  return (
    <span role="img" aria-label={text} title={text} className={`relative z-10 grid w-fit shrink-0 ${isRunning ? 'text-err' : 'text-warm'}`}>
      <Icon of={Repeat} />
    </span>
  );
}
