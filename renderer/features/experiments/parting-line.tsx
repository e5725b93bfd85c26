import { Link } from '@tanstack/react-router';
import { useComparison } from '../../api/comparisons.ts';
import { verdictOf } from '../../model/trace/comparison-words.ts';
import { Text } from '../../ui/primitives/text.tsx';

/** Where the run of an item parts from that of the baseline, with the comparison step by step. */
export function PartingLine({ baseline, run }: { baseline: string; run: string }) {
  const { data, isError } = useComparison(baseline, run);
  const verdict = data && verdictOf(data);
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 pb-2.5 text-row">
      <Text tone="quiet">
        {verdict ? (
          <>
            {verdict.before}
            {verdict.name && <strong className="font-strong text-fg">{verdict.name}</strong>}
            {verdict.after}
          </>
        ) : isError ? (
          'The traces are no longer stored, so that the runs cannot be compared.'
        ) : (
          'Comparing the runs…'
        )}
      </Text>
      {data && (
        <Link to="/compare" search={{ a: baseline, b: run }} className="text-accent hover:underline">
          Compare runs
        </Link>
      )}
    </p>
  );
}
