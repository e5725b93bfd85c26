import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useComparison } from '../../api/comparisons.ts';
import { asFailure } from '../../api/failure.ts';
import { openAct } from '../../ui/overlays/chosen-places.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { CopyButton, copyText } from '../../ui/primitives/copy-button.tsx';
import { DetailHeader } from '../../ui/primitives/detail-header.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { useKeys } from '../../ui/primitives/keys.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { useBack } from '../../ui/primitives/use-back.ts';
import { ComparedRuns } from './compared-runs.tsx';
import { GroupScreen } from './group-screen.tsx';
import { RunHeads } from './run-heads.tsx';
import { type CompareView, isOfGroups, readCompareUrl } from './url.ts';

const route = getRouteApi('/compare');
const address = () => window.location.href;

/** Two runs step by step: where they diverge, what differs there, and what followed. */
export function CompareScreen() {
  const view = route.useSearch();
  const { a, b } = view;
  return (
    <>
      <title>Compare · Glasshouse</title>
      {isOfGroups(view) ? (
        <GroupScreen view={view} />
      ) : a && b ? (
        <Comparing key={`${a} ${b}`} a={a} b={b} view={view} />
      ) : (
        <>
          <DetailHeader parent={<Link to="/traces">Traces</Link>} title="Compare" />
          <EmptyState title="Choose two traces">
            Select two traces in the list with x and press c to see the step at which they diverge, or failed and good ones to see what
            separates them.
          </EmptyState>
        </>
      )}
    </>
  );
}

function Comparing({ a, b, view }: { a: string; b: string; view: CompareView }) {
  const navigate = useNavigate();
  const show = (change: Partial<CompareView>) =>
    void navigate({ to: '/compare', search: readCompareUrl({ ...view, ...change }), replace: true });
  const open = (traceId: string) => void navigate({ to: '/traces/$traceId', params: { traceId } });
  const swap = () => show({ a: b, b: a });
  const add = () =>
    openAct(
      'dataset',
      [a, b].map((traceId) => ({ traceId, spanId: '' })),
    );
  useBack('Comparison', '/traces', view.step === undefined ? null : () => show({ step: undefined }));
  useKeys('Comparison', [
    { on: ['x'], label: 'Swap the runs', run: swap },
    { on: ['1'], label: 'Open run A', run: () => open(a) },
    { on: ['2'], label: 'Open run B', run: () => open(b) },
    { on: ['d'], label: 'Add both traces to a dataset', run: add },
    { on: ['y'], label: 'Copy the link to this comparison', run: () => void copyText(address) },
  ]);
  const { data, error, refetch } = useComparison(a, b);
  return (
    <>
      <DetailHeader parent={<Link to="/traces">Traces</Link>} title="Compare">
        <span className="ml-auto flex items-center gap-2">
          <Button hint="x" onClick={swap}>
            Swap
          </Button>
          <CopyButton text={address} label="Copy link" />
        </span>
      </DetailHeader>
      {data ? (
        <>
          <RunHeads a={data.a} b={data.b} />
          <ComparedRuns comparison={data} view={view} onView={show} />
        </>
      ) : error ? (
        <FailedState failure={asFailure(error, 'The runs could not be compared')} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows label="Comparing the runs" />
      )}
    </>
  );
}
