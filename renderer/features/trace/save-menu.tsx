import { Download } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { pathOf } from '../../../shared/client.ts';
import { traceFiles } from '../../../shared/contract/trace-files.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Text } from '../../ui/text.tsx';

const files = [
  { label: 'Capsule', about: 'with scores and media, opens in another Glasshouse', path: traceFiles.exportCapsule.path },
  { label: 'OTLP JSON', about: 'as received, any OpenTelemetry backend takes it', path: traceFiles.exportOtlp.path },
];

/** The whole trace as a file. */
export function SaveMenu({ traceId }: { traceId: string }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <IconButton label="Save as a file">
          <Icon of={Download} />
        </IconButton>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          aria-label="Save as a file"
          className="enter-layer z-50 w-form rounded-card border border-line-2 bg-panel p-1 text-fg shadow-layer"
        >
          {files.map(({ label, about, path }) => (
            <DropdownMenu.Item key={label} asChild>
              <a
                href={pathOf(path, {}, { trace_id: [traceId] })}
                download
                className="flex min-h-row items-center gap-3 rounded-control px-2 text-row outline-none data-[highlighted]:bg-hover"
              >
                <span className="w-total shrink-0">{label}</span>
                <Text size="label" tone="dim" cut>
                  {about}
                </Text>
              </a>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
