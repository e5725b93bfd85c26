/** The page's one live stream, opened over EventSource and tied to whether anybody looks. */
import { useEffect, useSyncExternalStore } from 'react';
import { contract } from '../../shared/contract/index.ts';
import type { LiveIntake } from '../../shared/contract/viewer.ts';
import { type Connection, Live, type OpenStream, type Signal } from './live.ts';

/** Who wants to know that requests came, refused ones too. */
const onRequests = new Set<() => void>();

/** Whether the gateway's user has paused receiving. */
let isPaused = false;
const onPause = new Set<() => void>();

const intakeSaid = ({ data }: MessageEvent<string>): void => {
  isPaused = (JSON.parse(data) as LiveIntake).paused;
  for (const heard of onPause) heard();
};

const openEventSource: OpenStream = ({ open, commit, failed }) => {
  const source = new EventSource(contract.viewer.live.path);
  source.onopen = open;
  source.onerror = failed;
  source.addEventListener('commit', (event: MessageEvent<string>) => commit(event.data));
  source.addEventListener('requests', () => {
    for (const heard of onRequests) heard();
  });
  source.addEventListener('intake', intakeSaid);
  return source;
};

const live = new Live(openEventSource);

/** A browser keeps six connections per origin over HTTP/1.1: a seventh tab would hang if hidden ones kept their streams. */
const hiddenMs = 30_000;

export function followGateway(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(live.sleep, hiddenMs);
    else live.connect();
  });
  live.connect();
}

export const reconnect = live.connect;
export const beforeAsking = live.beforeAsking;
export const listenToGateway = live.listen;

export const useConnection = (): Connection => useSyncExternalStore(live.watch, () => live.state);

export const useIsPaused = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      onPause.add(changed);
      return () => onPause.delete(changed);
    },
    () => isPaused,
  );

export function useSignal(heard: (signal: Signal) => void): void {
  useEffect(() => {
    const stop = live.listen(heard);
    return () => void stop();
  }, [heard]);
}

/** `heard` is called when requests were noted in the ingest log, and after a gap, when some may have been. */
export function useRequests(heard: () => void): void {
  useEffect(() => {
    onRequests.add(heard);
    const stop = live.listen((signal) => signal.gap && heard());
    return () => {
      onRequests.delete(heard);
      stop();
    };
  }, [heard]);
}
