/** Arguments that a second launch passes to the first, possibly from another version. */
import { z } from 'zod';

const launch = z.object({ words: z.array(z.string().max(4096)).max(100) });

/** Empty for invalid data. */
export function sentWords(sent: unknown): string[] {
  const parsed = launch.safeParse(sent);
  return parsed.success ? parsed.data.words : [];
}
