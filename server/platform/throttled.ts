export interface Throttled {
  request(): void;
  stop(): void;
}

/** Acts at once if the last action was an interval ago or more, otherwise once at the end of the interval. */
export function throttled(act: () => void, intervalMs: number): Throttled {
  let timer: NodeJS.Timeout | null = null;
  let isRequested = false;
  const run = () => {
    timer = null;
    if (!isRequested) return;
    isRequested = false;
    act();
    timer = setTimeout(run, intervalMs);
  };
  return {
    request: () => {
      isRequested = true;
      if (timer === null) run();
    },
    stop: () => {
      if (timer) clearTimeout(timer);
    },
  };
}
