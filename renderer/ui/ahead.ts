import { useEffect, useRef, useState } from 'react';

/**
 * A value that belongs to the address of the page, but changes faster than an address should: it is here at once and told
 * onward when it rests. (Browsers refuse more than some 200 history entries in 30 seconds; a held key makes 30 a second.)
 * The address wins when it changes by itself, as with Back, but never by merely echoing what was told.
 */
export function useAhead<T>(value: T, onSettled: (value: T) => void, restMs: number): [T, (value: T) => void] {
  const [ahead, setAhead] = useState(value);
  const [seen, setSeen] = useState(value);
  const told = useRef(value);
  const settle = useRef(onSettled);
  if (value !== seen) {
    setSeen(value);
    if (value !== told.current) setAhead(value);
  }
  useEffect(() => {
    told.current = value;
  }, [value]);
  useEffect(() => {
    settle.current = onSettled;
  });
  useEffect(() => {
    if (ahead === told.current) return;
    const timer = setTimeout(() => {
      told.current = ahead;
      settle.current(ahead);
    }, restMs);
    return () => clearTimeout(timer);
  }, [ahead, restMs]);
  return [ahead, setAhead];
}
