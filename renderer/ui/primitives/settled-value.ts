import { useDeferredValue, useEffect, useState } from 'react';

const delayMs = 120;

/** The value once it has not changed for a moment; undefined until then. */
export function useSettled<T>(value: T): T | undefined {
  const deferred = useDeferredValue(value);
  const [settled, setSettled] = useState<T>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(deferred), delayMs);
    return () => clearTimeout(timer);
  }, [deferred]);
  return settled === value ? settled : undefined;
}
