import { useEffect, useRef, useState } from 'react';

/**
 * State that is written to the URL of the page with a delay. (Browsers refuse more than about 200 history entries in 30 seconds; a held
 * key makes 30 a second.) A change of the URL, as by Back, replaces the value; the echo of a value written here does not.
 */
export function useDebouncedValue<T>(value: T, onSettled: (value: T) => void, delayMs: number): [T, (value: T) => void] {
  const [current, setCurrent] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  const written = useRef(value);
  const settle = useRef(onSettled);
  if (value !== lastValue) {
    setLastValue(value);
    if (value !== written.current) setCurrent(value);
  }
  useEffect(() => {
    written.current = value;
  }, [value]);
  useEffect(() => {
    settle.current = onSettled;
  });
  useEffect(() => {
    if (current === written.current) return;
    const timer = setTimeout(() => {
      written.current = current;
      settle.current(current);
    }, delayMs);
    return () => clearTimeout(timer);
  }, [current, delayMs]);
  return [current, setCurrent];
}
