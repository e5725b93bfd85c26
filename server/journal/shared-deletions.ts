/** Changes of deletions, whichever gateway makes them: whoever waits for one may have asked another gateway than the one that deletes. */
import { z } from 'zod';
import { type Notices, noticeScope } from '../coordination/notices.ts';
import type { DeletionChange, TraceDeletions } from '../telemetry/trace-deletions.ts';

const channel = 'deletion';
const notice = z.strictObject({ scope: noticeScope, id: z.string(), state: z.enum(['removing', 'erasing', 'done']) });

export class SharedDeletions {
  readonly #listeners = new Set<(change: DeletionChange) => void>();
  readonly #unfollow: (() => void)[];

  /** @param own tell what this gateway changes */
  constructor(own: Pick<TraceDeletions, 'follow'>, notices: Notices) {
    const tell = (change: DeletionChange) => {
      for (const listener of this.#listeners) listener(change);
    };
    this.#unfollow = [
      own.follow((change) => {
        notices.publish(channel, change satisfies z.input<typeof notice>);
        tell(change);
      }),
      notices.follow(channel, notice, { heard: tell, missed: () => {} }),
    ];
  }

  follow(listener: (change: DeletionChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  stop(): void {
    for (const unfollow of this.#unfollow) unfollow();
  }
}
