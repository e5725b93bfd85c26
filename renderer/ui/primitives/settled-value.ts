import { useDeferredValue, useEffect, useState } from 'react';

const momentMs = 120;

/** The value once it has not changed for a moment; undefined until then. */
export function useSettled<T>(value: T, delayMs = momentMs): T | undefined {
  const deferred = useDeferredValue(value);
  const [settled, setSettled] = useState<T>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(deferred), delayMs);
    return () => clearTimeout(timer);
  }, [deferred, delayMs]);
  return settled === value ? settled : undefined;
}
