/** The page's one live stream, tied to whether anybody looks and to who they are. */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { contract } from '../../shared/contract/index.ts';
import type { LiveIntake } from '../../shared/contract/viewer/viewer.ts';
import { openEventStream } from './event-stream.ts';
import { currentIdentity, identityHeaders, watchIdentity } from './identity.ts';
import { type Connection, Live, type OpenStream, type Signal } from './live.ts';
import { noteRefused } from './refused.ts';

/** Listeners to requests, refused ones included. */
const onRequests = new Set<() => void>();

/** Whether the gateway's user has paused receiving. */
let isPaused = false;
const onPause = new Set<() => void>();

const intakeSaid = (data: string): void => {
  isPaused = (JSON.parse(data) as LiveIntake).paused;
  for (const heard of onPause) heard();
};

const unauthorized = 401;

const openStream: OpenStream = ({ open, commit, failed }) =>
  openEventStream(contract.viewer.live.path, identityHeaders(), {
    open,
    event: (name, data) => {
      if (name === 'commit') commit(data);
      else if (name === 'intake') intakeSaid(data);
      else if (name === 'requests') for (const heard of onRequests) heard();
    },
    failed: (status) => {
      if (status === unauthorized) noteRefused();
      failed();
    },
  });

const live = new Live(openStream);

/** A browser keeps six connections per origin over HTTP/1.1: a seventh tab would hang if hidden ones kept their streams. */
const hiddenMs = 30_000;

/** No stream before sign-in. */
const isLetIn = (): boolean => {
  const now = currentIdentity();
  return now.phase === 'open' || (now.phase === 'signed-in' && now.appId !== null);
};

export function reconnect(): void {
  if (isLetIn()) live.connect();
}

export function followGateway(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(live.sleep, hiddenMs);
    else reconnect();
  });
  watchIdentity(() => (isLetIn() ? live.connect() : live.sleep()));
  reconnect();
}

export const beforeAsking = live.beforeAsking;
export const listenToGateway = live.listen;

/** Resolves when the gateway is not known to be away. */
export const whenNotAway = (): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (live.state.phase === 'waiting') return;
      stop();
      resolve();
    };
    const stop = live.watch(look);
    look();
  });

export const useConnection = (): Connection => useSyncExternalStore(live.watch, () => live.state);

/** @param heard called when the gateway answers again after a failure. A gap is not enough, because a slow first stream also causes one. */
export function useReturn(heard: () => void): void {
  const { phase } = useConnection();
  const wasAway = useRef(false);
  useEffect(() => {
    if (phase === 'waiting') wasAway.current = true;
    if (phase !== 'live' || !wasAway.current) return;
    wasAway.current = false;
    heard();
  }, [phase, heard]);
}

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
