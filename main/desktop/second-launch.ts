/** What a second launch hands to the first: its words, from a process that may be of another version. */
import { z } from 'zod';

const launch = z.object({ words: z.array(z.string().max(4096)).max(100) });

/** None when it is not what we send. */
export function sentWords(sent: unknown): string[] {
  const parsed = launch.safeParse(sent);
  return parsed.success ? parsed.data.words : [];
}
