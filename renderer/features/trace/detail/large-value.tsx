import { useMemo, useState } from 'react';
import type { DocumentSource } from '../../../api/document-tasks.ts';
import { asFailure } from '../../../api/failure.ts';
import { bytes } from '../../../model/text/format.ts';
import type { JsonPath } from '../../../model/text/json-tree.ts';
import { FailedState } from '../../../ui/primitives/failed-state.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { JsonPanel } from '../../../ui/viewers/json-panel.tsx';
import { useDocument } from './use-document.ts';

interface LargeValueProps {
  label: string;
  /** URL of the API response, and the path of the value in it. */
  path: string;
  pick: JsonPath;
  /** Limits an object to these fields. */
  fields?: readonly string[];
  /** In characters, if known. */
  size?: number;
  /** Fills the window instead of taking a fixed height among other content. */
  isTall?: boolean;
}

/** Viewer for a value of any size, with search and collapsing. The value is never loaded into the page's own thread. */
export function LargeValue({ label, path, pick, fields, size, isTall = false }: LargeValueProps) {
  const [attempt, setAttempt] = useState(0);
  const target = JSON.stringify({ pick, ...(fields ? { fields } : {}) });
  const source = useMemo((): DocumentSource => ({ path, ...(JSON.parse(target) as { pick: JsonPath }) }), [path, target]);
  return (
    <div className={isTall ? 'h-raw' : 'h-panel'}>
      <DocumentViewer key={attempt} label={label} source={source} size={size} onRetry={() => setAttempt(attempt + 1)} />
    </div>
  );
}

function DocumentViewer({
  label,
  source,
  size,
  onRetry,
}: {
  label: string;
  source: DocumentSource;
  size: number | undefined;
  onRetry: () => void;
}) {
  const { open, state } = useDocument(source);
  if (state?.phase === 'failed') return <FailedState failure={asFailure(state.error, `${label} could not be opened`)} onRetry={onRetry} />;
  if (!open || state?.phase !== 'open')
    return (
      <div role="status" className="after-a-moment grid h-full place-content-center rounded-card border border-line">
        <Text tone="dim">{`Loading ${size ? bytes(size) : label}…`}</Text>
      </div>
    );
  return <JsonPanel label={label} document={state} actions={open} />;
}
