import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { useKeys } from '../../ui/primitives/keys.tsx';
import type { FoundTurns } from './use-found-turns.ts';

interface TurnActions {
  go: (to: number) => void;
  onTexts: (traceId: string) => void;
  onOpen: (traceId: string) => void;
  onBack: () => void;
  /** Undefined while no turn runs. */
  onFollow: (() => void) | undefined;
}

/** The place after `at` in a direction, or the first one from the other end; undefined if there is none. */
const nextOf = (places: readonly number[], at: number, step: 1 | -1) =>
  step > 0 ? (places.find((place) => place > at) ?? places[0]) : (places.findLast((place) => place < at) ?? places.at(-1));

/** Keys that move through the turns of a session. @param at index of the current turn, -1 for none */
export function useTurnKeys(turns: readonly ListedTrace[], found: FoundTurns | null, at: number, actions: TurnActions): void {
  const { go, onOpen, onBack, onTexts, onFollow } = actions;
  const goTo = (isPlace: (turn: ListedTrace) => boolean, step: 1 | -1) => () => {
    const next = nextOf(
      turns.flatMap((turn, index) => (isPlace(turn) ? [index] : [])),
      at,
      step,
    );
    if (next !== undefined) go(next);
  };
  const isBad = ({ status, error_count }: ListedTrace) => status === 'ERROR' || error_count > 0;
  const isFound = ({ id }: ListedTrace) => found?.ids.has(id) ?? false;
  useKeys('Session', [
    { on: ['j', 'ArrowDown'], label: 'Next turn', run: () => go(at + 1) },
    { on: ['k', 'ArrowUp'], label: 'Previous turn', run: () => go(at - 1) },
    { on: ['e'], label: 'Next turn with an error', run: goTo(isBad, 1) },
    { on: ['E'], label: 'Previous turn with an error', run: goTo(isBad, -1) },
    ...(found
      ? [
          { on: ['n'], label: 'Next turn found', run: goTo(isFound, 1) },
          { on: ['p'], label: 'Previous turn found', run: goTo(isFound, -1) },
        ]
      : []),
    { on: ['Home'], label: 'First turn', run: () => go(0) },
    { on: ['End'], label: 'Last turn', run: () => go(turns.length - 1) },
    { on: ['o'], label: 'Open or close long texts of the turn', run: () => onTexts(turns[Math.max(0, at)]?.id ?? '') },
    ...(onFollow ? [{ on: ['f'], label: 'Follow the running turn', run: onFollow }] : []),
    { on: ['Enter'], label: 'Open its trace', run: () => turns[at] && onOpen(turns[at].id) },
    { on: ['Escape'], label: 'Back', run: onBack },
  ]);
}
