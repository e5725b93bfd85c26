import { useEffect, useRef, useState } from 'react';

/**
 * State that is written to the address of the page with a delay. (Browsers refuse more than some 200 history entries in 30 seconds; a held
 * key makes 30 a second.) A change of the address, as by Back, replaces the value; the echo of a value written from here does not.
 */
export function useDebouncedValue<T>(value: T, onSettled: (value: T) => void, restMs: number): [T, (value: T) => void] {
  const [current, setCurrent] = useState(value);
  const [seen, setSeen] = useState(value);
  const written = useRef(value);
  const settle = useRef(onSettled);
  if (value !== seen) {
    setSeen(value);
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
    }, restMs);
    return () => clearTimeout(timer);
  }, [current, restMs]);
  return [current, setCurrent];
}
