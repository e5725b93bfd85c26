import { createRootRoute } from '@tanstack/react-router';
import { Frame } from './frame.tsx';

/** What every screen stands in. */
export const root = createRootRoute({ component: Frame });
