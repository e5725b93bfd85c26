/** What of the store is known not to be what was written, as every asker may know it. */
import { z } from 'zod';

export const damagedKinds = ['trace', 'span', 'session', 'score', 'row', 'database', 'log'] as const;

export const damaged = z
  .object({
    since: z.iso.datetime(),
    counts: z.partialRecord(z.enum(damagedKinds), z.int()).meta({
      description: 'How many of each were met, each once. `database`: pages or indexes; `log`: write-ahead logs that were cut off.',
    }),
  })
  .meta({
    id: 'Damaged',
    description: 'Present while the store is known to be damaged. What it can still read and take, it does. Additive.',
  });
export type Damaged = z.output<typeof damaged>;
