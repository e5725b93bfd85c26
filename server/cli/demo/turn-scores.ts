/** The scores of a turn. */
import type { ScoreDraft } from '../../../shared/contract/evaluation/score-draft.ts';
import type { ExperimentRow, Judgement, Turn } from './story.ts';

interface ScoreKind {
  name: string;
  source: ScoreDraft['source'];
  /** From this score on, it is the first label. */
  from: number;
  labels: readonly [string, string];
}

const helpful: ScoreKind = { name: 'helpful', source: 'annotation', from: 1, labels: ['yes', 'no'] };
const tone: ScoreKind = { name: 'tone', source: 'api', from: 0.7, labels: ['friendly', 'curt'] };
const correct: ScoreKind = { name: 'correct', source: 'experiment', from: 1, labels: ['pass', 'fail'] };

export function turnScores(traceId: string, turn: Turn, experiment: ExperimentRow | undefined): ScoreDraft[] {
  const draft = ({ name, source, from, labels }: ScoreKind, judgement: Judgement | undefined): ScoreDraft[] => {
    if (!judgement) return [];
    const [score, reason] = judgement;
    return [{ resource_id: traceId, name, score, label: labels[score >= from ? 0 : 1], reason, source }];
  };
  return [...draft(helpful, turn.helpful), ...draft(tone, turn.tone), ...draft(correct, experiment?.correct)];
}
