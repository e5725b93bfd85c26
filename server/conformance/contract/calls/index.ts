/** Triggers for all gateways, one file for each resource. */
import type { Trigger } from '../trigger.ts';
import { experiments } from './experiments.ts';
import { ingest } from './ingest.ts';
import { platform } from './platform.ts';
import { runaways } from './runaways.ts';
import { scores } from './scores.ts';
import { sessions } from './sessions.ts';
import { spans } from './spans.ts';
import { traceDeletions } from './trace-deletions.ts';
import { traceTags } from './trace-tags.ts';
import { traces } from './traces.ts';
import { viewer } from './viewer.ts';

export const everyGateway: Trigger[] = [
  ...[
    ...platform,
    ...ingest,
    ...traces,
    ...traceDeletions,
    ...traceTags,
    ...runaways,
    ...spans,
    ...sessions,
    ...scores,
    ...experiments,
    ...viewer,
  ],
];
