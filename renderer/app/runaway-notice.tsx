import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListedRunaway } from '../../shared/contract/tracing/runaways.ts';
import { runawayCost, runawayName, runawayReason, runawayRuleNames, runawayService, worstFirst } from '../../shared/words/runaway-words.ts';
import { useNotARunaway, useStopProgram } from '../api/runaways.ts';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { Button, linkButton } from '../ui/primitives/button.tsx';
import { Text } from '../ui/primitives/text.tsx';

interface RunawayNoticeProps {
  running: readonly ListedRunaway[];
  /** The trace that the page shows. */
  shownTrace: string | null;
}

/** The worst run, and the others behind a button. */
export function RunawayNotice({ running, shownTrace }: RunawayNoticeProps) {
  const [isOpen, setOpen] = useState(false);
  const isShown = ({ trace_id }: ListedRunaway) => trace_id === shownTrace;
  const [first, ...others] = running.toSorted((a, b) => Number(isShown(b)) - Number(isShown(a)) || worstFirst(a, b));
  if (!first) return null;
  return (
    <section aria-label="Runs that may be running away" className="max-h-1/3 shrink-0 overflow-y-auto border-line border-b bg-err-bg">
      <Row found={first} isShown={isShown(first)}>
        {others.length > 0 && (
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Show only the worst' : `and ${others.length} more`}
          </Button>
        )}
      </Row>
      {isOpen && others.map((found) => <Row key={`${found.trace_id} ${found.rule}`} found={found} isShown={isShown(found)} />)}
    </section>
  );
}

function Row({ found, isShown, children }: { found: ListedRunaway; isShown: boolean; children?: React.ReactNode }) {
  const { isAllowed, isBusy, problem, quiet } = useNotARunaway();
  const [isAsking, setAsking] = useState(false);
  const about = `Never say this again: ${runawayRuleNames[found.rule]}, ${runawayService(found.service)}`;
  return (
    <div className="flex items-center gap-3 px-4 py-1.5 max-split:flex-wrap">
      <p role="status" className="min-w-0 flex-1 wrap-anywhere">
        <Text tone="err" strong>{`${runawayName(found)} may be running away.`}</Text> <Text>{runawayReason(found)}</Text>{' '}
        <Text tone="quiet">{runawayCost(found)}</Text>
        {problem && <Text tone="err">{` ${problem}`}</Text>}
      </p>
      <span className="flex shrink-0 flex-wrap gap-2">
        {!isShown && (
          <Link to="/traces/$traceId" params={{ traceId: found.trace_id }} className={linkButton}>
            Open trace
          </Link>
        )}
        {isAllowed && found.can_stop && <Button onClick={() => setAsking(true)}>Stop program…</Button>}
        {isAllowed && (
          <Button title={about} aria-busy={isBusy} onClick={() => !isBusy && quiet(found)}>
            Not a runaway
          </Button>
        )}
        {children}
      </span>
      {isAsking && <StopDialog found={found} onClose={() => setAsking(false)} />}
    </div>
  );
}

function StopDialog({ found, onClose }: { found: ListedRunaway; onClose: () => void }) {
  const { isBusy, problem, stop } = useStopProgram(onClose);
  return (
    <ConfirmDialog
      title={`Stop the program of ${runawayName(found)}?`}
      action="Stop it"
      isBusy={isBusy}
      problem={problem}
      onConfirm={() => found.run_id !== null && stop(found.run_id)}
      onClose={onClose}
    >
      <p>
        <code className="font-mono">glasshouse run</code> sends it SIGINT, after ten seconds SIGTERM, after ten more SIGKILL. What it has
        sent so far is kept.
      </p>
    </ConfirmDialog>
  );
}
