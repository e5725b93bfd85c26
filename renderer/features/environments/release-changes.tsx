import { useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { plural } from '../../model/text/format.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { LineDiffView } from '../../ui/viewers/line-diff-view.tsx';
import { type FileChange, useReleaseChanges, useReleaseFile } from './release-query.ts';

const initialFiles = 100;
const kinds = [
  { kind: 'prompt', title: 'Prompts' },
  { kind: 'component', title: 'Components' },
  { kind: 'dataset', title: 'Datasets' },
  { kind: 'config', title: 'Configuration' },
  { kind: 'other', title: 'Other files' },
] as const;
const tones = { added: 'ok', changed: 'warm', removed: 'err' } as const;

interface ReleaseChangesProps {
  environmentId: string;
  /** Deployment to compare with; null for one without files. */
  deploymentId: string | null;
}

/** File changes of a release by kind, with a line diff of the selected file. */
export function ReleaseChanges({ environmentId, deploymentId }: ReleaseChangesProps) {
  const changes = useReleaseChanges(environmentId, deploymentId);
  const [open, setOpen] = useState<string | null>(null);
  if (changes.isError && !changes.data)
    return (
      <p role="alert" className="flex items-center gap-2">
        <Text tone="err">{`The changes could not be loaded. ${asFailure(changes.error, '').why}`}</Text>
        <Button onClick={() => void changes.refetch()}>Try again</Button>
      </p>
    );
  if (!changes.data) return <Text tone="dim">Comparing files…</Text>;
  if (changes.data.length === 0) return <Text tone="dim">No file changes.</Text>;
  return (
    <section aria-label="Changes" className="grid max-h-image gap-2 overflow-y-auto rounded-control border border-line p-2">
      <Text tone="quiet">{summaryOf(changes.data)}</Text>
      {kinds.map(({ kind, title }) => (
        <Kind
          key={kind}
          title={title}
          files={changes.data.filter((file) => file.kind === kind)}
          open={open}
          onOpen={(path) => setOpen(path === open ? null : path)}
          release={{ environmentId, deploymentId }}
        />
      ))}
    </section>
  );
}

function summaryOf(files: readonly FileChange[]): string {
  const counts = (['added', 'changed', 'removed'] as const).map(
    (change) => [files.filter((file) => file.change === change).length, change] as const,
  );
  const parts = counts.filter(([count]) => count > 0).map(([count, change]) => `${count} ${change}`);
  return `${plural(files.length, 'file')}: ${parts.join(', ')}.`;
}

interface KindProps {
  title: string;
  files: readonly FileChange[];
  open: string | null;
  onOpen: (path: string) => void;
  release: ReleaseChangesProps;
}

function Kind({ title, files, open, onOpen, release }: KindProps) {
  const [isExpanded, setExpanded] = useState(false);
  if (files.length === 0) return null;
  const shown = isExpanded ? files : files.slice(0, initialFiles);
  return (
    <div className="grid min-w-0">
      <Text as="h3" size="label" tone="dim">
        {title}
      </Text>
      <ul aria-label={title} className="min-w-0">
        {shown.map(({ path, change }) => (
          <li key={path} className="min-w-0">
            <button
              type="button"
              aria-expanded={path === open}
              onClick={() => onOpen(path)}
              className="flex h-row w-full min-w-0 items-center gap-3 rounded-control px-1 text-left hover:bg-hover"
            >
              <Text mono cut className="flex-1" title={path}>
                {path}
              </Text>
              <Text tone={tones[change]} className="shrink-0">
                {change}
              </Text>
            </button>
            {path === open && <ChangedFile path={path} {...release} />}
          </li>
        ))}
      </ul>
      {files.length > shown.length && <Button onClick={() => setExpanded(true)}>{`Show all ${files.length}`}</Button>}
    </div>
  );
}

function ChangedFile({ path, environmentId, deploymentId }: ReleaseChangesProps & { path: string }) {
  const file = useReleaseFile(environmentId, deploymentId, path);
  if (file.isError && !file.data) return <Text tone="err">{asFailure(file.error, '').why}</Text>;
  if (!file.data) return <Text tone="dim">Loading the file…</Text>;
  const { before, after } = file.data;
  return (
    <div className="grid min-w-0 gap-1 pb-2">
      <LineDiffView before={before?.text ?? ''} after={after?.text ?? ''} label={`Diff of ${path}`} />
      {(before?.is_cut || after?.is_cut) && <Text tone="dim">The file is long, so only its beginning is compared.</Text>}
    </div>
  );
}
