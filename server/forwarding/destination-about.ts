/** Stored properties of a destination, as JSON. Without the key. */

import { z } from 'zod';
import { noRedaction, redactionPolicy } from '../../shared/contract/operations/redaction.ts';
import { jsonOf } from '../platform/json.ts';

const about = z.object({
  url: z.string(),
  app_id: z.string(),
  tenant_name: z.string().nullable().default(null),
  app_name: z.string().nullable().default(null),
  environment: z.string().nullable().default(null),
  is_paused: z.boolean().default(false),
  policy: redactionPolicy.default(noRedaction),
  /** Id of the destination's store; null when it has none. */
  installation: z.string().nullable().default(null),
  /** Where people open the viewer of the cloud; null when it is not known. */
  viewer_url: z.string().nullable().default(null),
});
export type About = z.output<typeof about>;

/** A destination that cannot be read, such as one of a later version, is paused. */
export function readAbout(text: string): About {
  return about.catch(about.parse({ url: '', app_id: '', is_paused: true })).parse(jsonOf(text));
}

const failureState = z.object({
  state: z.discriminatedUnion('is', [
    z.object({
      is: z.literal('waiting'),
      // Other versions may have other reasons.
      why: z.enum(['offline', 'portal', 'server_error', 'slowed', 'quota', 'store']).catch('server_error'),
      ...{ message: z.string(), since_ms: z.number(), until_ms: z.number() },
    }),
    z.object({
      is: z.literal('paused'),
      reason: z.enum(['address', 'key', 'permission', 'incompatible', 'certificate']),
      ...{ message: z.string(), since_ms: z.number(), until_ms: z.number().nullable() },
    }),
  ]),
  failures: z.number(),
});

/** The failure that stopped forwarding at the last stop of the gateway; null when there was none. */
export const readFailureState = (text: string): z.output<typeof failureState> | null =>
  failureState.nullable().catch(null).parse(jsonOf(text));

const lastError = z.object({ at_ms: z.number(), code: z.string(), message: z.string() });
export type LastError = z.output<typeof lastError>;

export const readLastError = (text: string): LastError | null => lastError.nullable().catch(null).parse(jsonOf(text));
