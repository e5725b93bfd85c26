import { createRootRoute } from '@tanstack/react-router';
import { Frame } from './frame.tsx';

/** Root route of all screens. */
export const root = createRootRoute({ component: Frame });
