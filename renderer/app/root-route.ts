import { createRootRoute } from '@tanstack/react-router';
import { Frame } from './frame.tsx';
import { keepPlace } from './place.ts';

/** Root route of all screens. */
export const root = createRootRoute({ component: Frame, search: { middlewares: [keepPlace] } });
