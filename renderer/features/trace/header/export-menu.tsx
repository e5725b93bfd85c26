import { Download } from 'lucide-react';
import { pathOf } from '../../../../shared/client.ts';
import { traceFiles } from '../../../../shared/contract/tracing/trace-files.ts';
import { useServed } from '../../../api/served.ts';
import { Action, ActionMenu } from '../../../ui/overlays/action-menu.tsx';
import { IconButton } from '../../../ui/primitives/button.tsx';
import { Icon } from '../../../ui/primitives/icon.tsx';

const files = [
  { label: 'Trace archive', about: 'with scores and media, opens in another Glasshouse', path: traceFiles.exportArchive.path },
  { label: 'OTLP JSON', about: 'as received, for any OpenTelemetry backend', path: traceFiles.exportOtlp.path },
];

/** Menu to download the whole trace as a file. */
export function ExportMenu({ traceId }: { traceId: string }) {
  const isServed = useServed()('trace_files');
  if (!isServed) return null;
  return (
    <ActionMenu
      label="Export trace"
      trigger={
        <IconButton label="Export trace">
          <Icon of={Download} />
        </IconButton>
      }
    >
      {files.map(({ label, about, path }) => (
        <Action key={label} label={label} about={about} download={pathOf(path, {}, { trace_id: [traceId] })} />
      ))}
    </ActionMenu>
  );
}
