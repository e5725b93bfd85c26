import type { WindowPointer, WindowView } from '../../../shared/contract/viewer/viewer-windows.ts';
import { defineModule } from '../../app/module.ts';

/** The time is in milliseconds since the epoch. */
type Seen = WindowView & { seenMs: number };

const nothingSeen: Seen = { page: '', trace_id: null, span_id: null, selection: '', seenMs: 0 };

/** Views whose stream is not open yet, or no longer, make room first. */
const viewsMax = 100;

/** In memory: a window is shared exactly while its stream is open. */
export const viewerWindowsModule = defineModule({
  group: 'viewerWindows',
  needs: ['clock', 'onOneMachine'],
  build: ({ clock }) => {
    const views = new Map<string, Seen>();
    const followers = new Map<string, (pointer: WindowPointer) => void>();
    const latestFirst = () =>
      [...followers.keys()].map((id) => ({ id, ...(views.get(id) ?? nothingSeen) })).sort((a, b) => b.seenMs - a.seenMs);
    return {
      list: () => ({ data: latestFirst().map(published) }),

      follow:
        (_, { params: { windowId } }) =>
        (send) => {
          const follower = (pointer: WindowPointer) => send('pointer', pointer);
          followers.set(windowId, follower);
          // A window that reconnects opens its new stream before the old one is known to be closed.
          return () => void (followers.get(windowId) === follower && followers.delete(windowId));
        },

      show: (_, { params: { windowId }, body }) => {
        const seen = { ...body, seenMs: clock.now() };
        views.delete(windowId);
        views.set(windowId, seen);
        const spare = views.size > viewsMax ? [...views.keys()].find((id) => !followers.has(id)) : undefined;
        if (spare !== undefined) views.delete(spare);
        return { data: published({ id: windowId, ...seen }) };
      },

      point: (_, { body }) => {
        const [latest] = latestFirst();
        if (latest) followers.get(latest.id)?.(body);
        return { data: { window_id: latest?.id ?? null } };
      },
    };
  },
});

const published = ({ seenMs, ...shown }: Seen & { id: string }) => ({ ...shown, seen_at: new Date(seenMs).toISOString() });
