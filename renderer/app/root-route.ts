import { createRootRoute } from '@tanstack/react-router';
import { Frame } from './frame.tsx';
import { keepPlace } from './place.ts';

/** Root route of all screens. */
export const root = createRootRoute({ component: Frame, search: { middlewares: [keepPlace] } });

/**
 * Search parameters as validated by the screen's own schema. The router merges the result over the raw parameters, so invalid ones must be
 * removed explicitly.
 */
export const ownSearch =
  <S, V extends object>(read: (search: S) => V) =>
  (search: S): V => ({
    ...Object.fromEntries(Object.keys(search ?? {}).map((key) => [key, undefined])),
    ...read(search),
  });
