/**
 * Windows of the viewer that their user shares with coding agents: an agent reads what a window shows, and points at a place in it. Local
 * gateways only, where agents and windows belong to one person.
 */
import { z } from 'zod';
import { all, one } from '../core/envelope.ts';
import { route } from '../core/route.ts';

/** Longest values that are taken, in characters. The viewer cuts longer ones. */
export const idMax = 128;
export const pageMax = 4_000;
export const selectionMax = 4_000;
export const noteMax = 500;

const id = z.string().min(1).max(idMax);

const view = z
  .object({
    page: z.string().max(pageMax).meta({ description: 'Path within the viewer, with its query.' }),
    trace_id: id.nullable().meta({ description: 'The trace that is open, if one is.' }),
    span_id: id.nullable().meta({ description: 'The span that is selected in it.' }),
    selection: z.string().max(selectionMax).meta({ description: 'Text that the user has selected; `` for none.' }),
  })
  .meta({ id: 'WindowView', description: 'What a window of the viewer shows.' });
export type WindowView = z.output<typeof view>;

const viewerWindow = view
  .extend({ id, seen_at: z.iso.datetime().meta({ description: 'When the window last reported what it shows.' }) })
  .meta({ id: 'ViewerWindow' });

const pointer = z
  .object({
    trace_id: id,
    span_id: id.nullable(),
    note: z.string().min(1).max(noteMax).meta({ description: 'What the agent says about the place. Shown as plain text.' }),
  })
  .meta({ id: 'WindowPointer', description: 'A place that an agent shows to the user.' });
export type WindowPointer = z.output<typeof pointer>;

const declare = { tag: 'viewer', permission: 'trace.read', only: 'local' } as const;
const ofWindow = z.object({ windowId: id });

export const viewerWindows = {
  list: route({
    ...declare,
    id: 'viewer-windows',
    method: 'GET',
    path: '/v1/viewer/windows',
    summary: 'List the windows that their user shares with coding agents; the one that was used last comes first',
    reply: all(viewerWindow),
    errors: [],
  }),
  follow: route({
    ...declare,
    id: 'viewer-window-pointers',
    method: 'GET',
    path: '/v1/viewer/windows/:windowId/pointers',
    summary: 'Share a window for as long as the stream is open, and follow where agents point, as server-sent events',
    params: ofWindow,
    reply: pointer,
    errors: [],
    wire: 'events',
    cache: 'no-store, no-transform',
  }),
  show: route({
    ...declare,
    id: 'viewer-window-show',
    method: 'PUT',
    path: '/v1/viewer/windows/:windowId',
    summary: 'Report what a window shows, for the time while it is shared',
    params: ofWindow,
    body: view,
    reply: one(viewerWindow),
    errors: [],
  }),
  point: route({
    ...declare,
    id: 'viewer-windows-point',
    method: 'POST',
    path: '/v1/viewer/windows/pointers',
    summary: 'Show a place to the user, in the shared window that was used last',
    body: pointer,
    reply: one(
      z.object({ window_id: id.nullable().meta({ description: 'Null when no window is shared.' }) }).meta({ id: 'WindowPointed' }),
    ),
    errors: [],
  }),
};
