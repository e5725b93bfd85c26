import { Trash2 } from 'lucide-react';
import type { Score } from '../../../../shared/contract/evaluation/scores.ts';
import { asFailure } from '../../../api/failure.ts';
import { useMay, useWhyNot } from '../../../api/identity.ts';
import { exactly, when } from '../../../model/time/time.ts';
import { IconButton } from '../../../ui/primitives/button.tsx';
import { FailedState } from '../../../ui/primitives/failed-state.tsx';
import { Icon } from '../../../ui/primitives/icon.tsx';
import { Pill } from '../../../ui/primitives/pill.tsx';
import { SkeletonRows } from '../../../ui/primitives/skeleton.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { LongText } from '../../../ui/viewers/long-text.tsx';
import { ScoreForm } from './score-form.tsx';
import { useRemoveScore, useScores } from './span-query.ts';

interface ScoresTabProps {
  traceId: string;
  spanId: string;
}

/** Scores of the span with author and reason, and a form to add one. */
export function ScoresTab({ traceId, spanId }: ScoresTabProps) {
  const scores = useScores(traceId, spanId, true);
  const whyNotAdd = useWhyNot()('score.write');
  if (scores.isError)
    return <FailedState failure={asFailure(scores.error, 'The scores could not be loaded')} onRetry={() => void scores.refetch()} />;
  if (!scores.data) return <SkeletonRows rows={4} label="Loading the scores" />;
  return (
    <>
      {whyNotAdd === undefined ? (
        <ScoreForm key={spanId} traceId={traceId} spanId={spanId} />
      ) : (
        <Text size="body" tone="dim">{`You cannot add a score. ${whyNotAdd}`}</Text>
      )}
      {scores.data.length === 0 ? (
        <Text size="body" tone="dim">
          No scores yet.
        </Text>
      ) : (
        <ScoreRows scores={scores.data} traceId={traceId} spanId={spanId} />
      )}
    </>
  );
}

/** Only scores added by people can be deleted here. */
const isByPerson = ({ source }: Score) => source === 'annotation';

function ScoreRows({ scores, traceId, spanId }: ScoresTabProps & { scores: readonly Score[] }) {
  const remove = useRemoveScore(traceId, spanId);
  const mayRemove = useMay()('score.delete');
  return (
    <ul aria-label="Scores">
      {scores.map((score) => (
        <li
          key={score.id}
          className="group grid grid-cols-[minmax(0,2fr)_auto_minmax(0,3fr)_auto] items-start gap-x-3 border-line border-t py-1.5"
        >
          <Text strong className="wrap-anywhere">
            {score.name}
          </Text>
          <span className="flex items-center gap-2">
            <Text mono className="num">
              {String(score.score)}
            </Text>
            {score.label && <Pill>{score.label.slice(0, 60)}</Pill>}
          </span>
          <div className="min-w-0">
            {score.reason && <LongText text={score.reason} />}
            <Text size="label" tone="dim" title={exactly(score.created_at)}>
              {[score.source, score.user_id, when(score.created_at)].filter(Boolean).join(', ')}
            </Text>
          </div>
          <span className="opacity-0 focus-within:opacity-100 group-hover:opacity-100">
            {mayRemove && isByPerson(score) && (
              <IconButton label={`Delete score ${score.name}`} disabled={remove.isPending} onClick={() => remove.mutate(score.id)}>
                <Icon of={Trash2} size="small" />
              </IconButton>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
