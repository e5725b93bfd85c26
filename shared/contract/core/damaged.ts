/** Known damage of the store, as any caller may see it. */
import { z } from 'zod';

export const damagedKinds = ['trace', 'span', 'session', 'score', 'row', 'database', 'log'] as const;

export const damaged = z
  .object({
    since: z.iso.datetime(),
    counts: z.partialRecord(z.enum(damagedKinds), z.int()).meta({
      description:
        'How many of each kind were found damaged, each counted once. `database`: pages or indexes; `log`: write-ahead logs that were cut off.',
    }),
  })
  .meta({
    id: 'Damaged',
    description: 'Present while the store is known to be damaged. It keeps serving what it can still read and write. Additive.',
  });
export type Damaged = z.output<typeof damaged>;
