import { Link } from '@tanstack/react-router';
import { GatewayError } from '../../../shared/client.ts';
import { useComparison } from '../../api/comparisons.ts';
import { asFailure } from '../../api/failure.ts';
import { verdictOf } from '../../model/trace/comparison-words.ts';
import { Text } from '../../ui/primitives/text.tsx';

/** The step at which the run of an item diverges from that of the baseline, with a link to the comparison step by step. */
export function DivergenceLine({ baseline, run }: { baseline: string; run: string }) {
  const { data, error } = useComparison(baseline, run);
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
        ) : error ? (
          whyNot(error)
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

const whyNot = (error: Error): string =>
  error instanceof GatewayError && error.code === 'trace_not_found'
    ? 'At least one of the traces is no longer stored, so the runs cannot be compared.'
    : `The runs could not be compared. ${asFailure(error, '').why}`;
