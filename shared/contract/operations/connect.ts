import { nothing } from '../core/envelope.ts';
import { route } from '../core/route.ts';

/** The WebSocket of deployed workers (docs/reference/jobs.md). OpenAPI cannot describe what follows the upgrade. */
export const connect = {
  open: route({
    id: 'connect-worker',
    method: 'GET',
    path: '/v1/connect',
    summary: 'Connect a deployed worker',
    tag: 'workers',
    permission: 'worker.connect',
    credential: 'bearer-key',
    app: 'none',
    reply: nothing,
    status: [101],
    errors: ['not_implemented', 'invalid_headers', 'missing_required_field'],
    only: 'cloud',
    wire: 'socket',
    undocumented: true,
  }),
};
