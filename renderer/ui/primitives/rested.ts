import { useDeferredValue, useEffect, useState } from 'react';

const restMs = 120;

/** A value the reader has stopped at; undefined while it is passed by. */
export function useSettled<T>(value: T): T | undefined {
  const deferred = useDeferredValue(value);
  const [rested, setRested] = useState<T>();
  useEffect(() => {
    const timer = setTimeout(() => setRested(deferred), restMs);
    return () => clearTimeout(timer);
  }, [deferred]);
  return rested === value ? rested : undefined;
}
