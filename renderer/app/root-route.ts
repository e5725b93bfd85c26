import { createRootRoute } from '@tanstack/react-router';
import { Frame } from './frame.tsx';

/** What every screen stands in. */
export const root = createRootRoute({ component: Frame });

/**
 * What is behind the `?` of an address, as its screen reads it and nothing else. The router lays what a reader returns over what
 * the address says, so a part that the reader left out would reach the screen after all, unread.
 */
export const ownSearch =
  <S, V extends object>(read: (search: S) => V) =>
  (search: S): V => ({
    ...Object.fromEntries(Object.keys(search ?? {}).map((key) => [key, undefined])),
    ...read(search),
  });
