import { useEffect, useState } from 'react';

const tickMs = 1000;

/** Milliseconds since the epoch, updated every second while the component is mounted. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
