import { Suspense } from 'react';
import type { RedactionChange, PreviewedSpan as SpanPreview } from '../../../shared/contract/operations/redaction.ts';
import { lazyComponent } from '../../api/lazy-component.tsx';
import { count, plural } from '../../model/text/format.ts';
import { Card } from '../../ui/primitives/card.tsx';
import { Pill } from '../../ui/primitives/pill.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { kindLabel } from './kind-labels.ts';
import { tokenPieces } from './token-pieces.ts';

const WordDiffView = lazyComponent(async () => (await import('../../ui/viewers/word-diff-view.tsx')).WordDiffView);
const DiffView = lazyComponent(async () => (await import('../../ui/viewers/word-diff-view.tsx')).DiffView);

/** One span with the changes that redaction makes. */
export function PreviewedSpan({ span }: { span: SpanPreview }) {
  const { name, retained, changes, change_count } = span;
  const status = retained ? 'Not sent' : change_count === 0 ? 'Sent unchanged' : plural(change_count, 'change');
  const head = (
    <>
      <span className="min-w-0 truncate">{name}</span>
      <Pill tone={retained ? 'warm' : 'plain'}>{status}</Pill>
    </>
  );
  if (changes.length === 0) return <Card head={head} />;
  return (
    <Card head={head} folds="open">
      <ul aria-label={`Changes in ${name}`} className="grid gap-3">
        {changes.map((change, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a path may occur twice
          <Change key={at} change={change} />
        ))}
      </ul>
      {change_count > changes.length && <Text as="p" tone="dim">{`And ${count(change_count - changes.length)} more.`}</Text>}
    </Card>
  );
}

function Change({ change: { path, before, after, kinds } }: { change: RedactionChange }) {
  const pieces = after === null ? null : tokenPieces(before, after);
  return (
    <li className="grid min-w-0 gap-0.5">
      <span className="flex min-w-0 flex-wrap items-center gap-2">
        <Text mono tone="quiet" className="wrap-anywhere">
          {path}
        </Text>
        {kinds.map((kind) => (
          <Pill key={kind}>{kindLabel(kind)}</Pill>
        ))}
        {after === null && <Pill>Dropped</Pill>}
      </span>
      {after === null ? (
        <del className="wrap-anywhere line-clamp-4 whitespace-pre-wrap bg-removed text-body text-fg-2">{before}</del>
      ) : (
        <Suspense fallback={<Text tone="dim">Comparing</Text>}>
          {pieces ? <DiffView pieces={pieces} /> : <WordDiffView before={before} after={after} />}
        </Suspense>
      )}
    </li>
  );
}
