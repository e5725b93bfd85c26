import { Link } from '@tanstack/react-router';
import { ExternalLink, Maximize2, X } from 'lucide-react';
import { useTraceExports } from '../../../api/trace-export.ts';
import { count, plural } from '../../../model/text/format.ts';
import { exactly, when } from '../../../model/time/time.ts';
import { progressOf } from '../../../model/trace/running.ts';
import { ExportMenu } from '../../../ui/overlays/export-menu.tsx';
import { usePalette } from '../../../ui/overlays/palette.ts';
import { Button, IconButton } from '../../../ui/primitives/button.tsx';
import { CopyIcon } from '../../../ui/primitives/copy-button.tsx';
import { Icon } from '../../../ui/primitives/icon.tsx';
import { keyLabel } from '../../../ui/primitives/key-label.ts';
import { Dot, Pill } from '../../../ui/primitives/pill.tsx';
import { RunningPill } from '../../../ui/primitives/running.tsx';
import { StatusIcon } from '../../../ui/primitives/status-icon.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import type { Host } from '../page/trace-page.tsx';
import type { LoadedTrace } from '../page/trace-query.ts';
import { CompareMenu } from './compare-menu.tsx';
import { DeleteTrace } from './delete-trace.tsx';
import { ForwardMenu } from './forward-menu.tsx';
import { ShareMenu } from './share-menu.tsx';

interface HeaderProps {
  loaded: LoadedTrace;
  host: Host;
  isFollowing: boolean;
  onFollow: () => void;
  onNextError: () => void;
  /** Opens the page of the trace, from the side panel. */
  onFullPage: () => void;
  onNewWindow: () => void;
  onClose: () => void;
}

export function TraceHeader({
  loaded: { trace, tree, facts },
  host,
  isFollowing,
  onFollow,
  onNextError,
  onFullPage,
  onNewWindow,
  onClose,
}: HeaderProps) {
  const palette = usePalette();
  const exports = useTraceExports([trace.id]);
  return (
    <header className="flex h-header shrink-0 items-center gap-2 border-line border-b px-pad">
      {host === 'full' && (
        <Link to="/traces" className="shrink-0 text-body text-fg-3 hover:text-fg">
          Traces /
        </Link>
      )}
      <Text as="h1" size="title" strong cut title={trace.name}>
        {trace.name || 'unnamed'}
      </Text>
      <CopyIcon text={() => trace.id} label="Copy trace ID" />
      <Text tone="dim" className="shrink-0 tabular-nums max-split:hidden" title={exactly(trace.start)}>
        {[when(trace.start), facts.services.length === 1 ? facts.services[0] : ''].filter(Boolean).join(' · ')}
      </Text>
      {trace.status !== 'UNSET' && facts.pending === 0 && <StatusIcon status={trace.status} />}
      {tree.failedAt.length > 0 && (
        <Pill tone="err" title={`Go to the next error. ${errorsInWords(tree.failedAt.length, tree.causes.length)}`} onClick={onNextError}>
          <Dot />
          {plural(tree.failedAt.length, 'error')}
        </Pill>
      )}
      {facts.pending > 0 && (
        <RunningPill
          progress={progressOf({ start: trace.origin, end: trace.end })}
          about={`${plural(facts.pending, 'span')} in progress`}
        />
      )}
      <span className="flex-1" />
      <span className="flex shrink-0 items-center gap-2 max-split:hidden">
        {(facts.pending > 0 || isFollowing) && (
          <Button hint="f" pressed={isFollowing} onClick={onFollow}>
            Follow
          </Button>
        )}
        {host !== 'panel' && (
          <Button hint={keyLabel('Mod+k')} onClick={palette.open}>
            Commands
          </Button>
        )}
      </span>
      {host !== 'window' && <CompareMenu traceId={trace.id} name={trace.name} start={trace.start} />}
      <ForwardMenu traceId={trace.id} />
      <ShareMenu traceId={trace.id} />
      <ExportMenu scope="Whole trace" label="Export trace" {...exports} />
      {host !== 'window' && <DeleteTrace traceId={trace.id} onDeleted={onClose} />}
      {host === 'panel' && (
        <IconButton label="Open full page (Enter)" onClick={onFullPage}>
          <Icon of={Maximize2} />
        </IconButton>
      )}
      {host !== 'window' && (
        <IconButton label="Open in new window (o)" onClick={onNewWindow}>
          <Icon of={ExternalLink} />
        </IconButton>
      )}
      {host === 'panel' && (
        <IconButton label="Close (Esc)" onClick={onClose}>
          <Icon of={X} />
        </IconButton>
      )}
    </header>
  );
}

export function errorsInWords(failed: number, causes: number): string {
  if (failed === causes) return plural(failed, 'failed span');
  return `${plural(failed, 'failed span')}, ${count(causes)} of them at the origin of the failure; the others contain those`;
}
