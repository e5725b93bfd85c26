/** Keeps the running turn at the end of a session in view, until the reader goes elsewhere. */
import { type RefObject, useEffect, useState } from 'react';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { isSilent, progressOf } from '../../model/trace/running.ts';

interface Followed {
  turns: readonly ListedTrace[];
  /** Whether these are all turns. */
  areAll: boolean;
  /** Of the conversation, which grows while it is followed. */
  height: number;
  scroller: RefObject<HTMLElement | null>;
  /** False when another turn is to be shown first. */
  isWanted: boolean;
  toEnd: () => void;
}

export interface Following {
  is: boolean;
  /** Turns that came since it was paused. */
  newTurns: number;
  toggle: () => void;
  pause: () => void;
}

/** @returns null while no turn runs */
export function useFollowing({ turns, areAll, height, scroller, isWanted, toEnd }: Followed): Following | null {
  const [pausedAt, setPausedAt] = useState(isWanted ? null : turns.length);
  const last = turns.at(-1);
  const isLive = areAll && last !== undefined && last.running > 0 && !isSilent(progressOf(last), Date.now());
  const isFollowing = isLive && pausedAt === null;
  const count = turns.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end moves with the height, and with another turn
  useEffect(() => {
    if (isFollowing) toEnd();
  }, [isFollowing, height, count]);
  useEffect(() => {
    const element = scroller.current;
    if (!isFollowing || !element) return;
    const pause = () => setPausedAt(count);
    const onWheel = ({ deltaY }: WheelEvent) => deltaY < 0 && pause();
    // The scroll bar is part of the element itself.
    const onPointerDown = ({ target }: PointerEvent) => target === element && pause();
    const onKeyDown = ({ key }: KeyboardEvent) => (key === 'PageUp' || key === 'ArrowUp') && pause();
    element.addEventListener('wheel', onWheel, { passive: true });
    element.addEventListener('touchmove', pause, { passive: true });
    element.addEventListener('pointerdown', onPointerDown);
    element.addEventListener('keydown', onKeyDown);
    return () => {
      element.removeEventListener('wheel', onWheel);
      element.removeEventListener('touchmove', pause);
      element.removeEventListener('pointerdown', onPointerDown);
      element.removeEventListener('keydown', onKeyDown);
    };
  }, [isFollowing, scroller, count]);
  const pause = () => setPausedAt((at) => at ?? count);
  return isLive
    ? { is: isFollowing, newTurns: pausedAt === null ? 0 : count - pausedAt, toggle: () => setPausedAt(isFollowing ? count : null), pause }
    : null;
}
