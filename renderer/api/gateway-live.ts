/** The live stream of the page. It depends on whether the page is visible and on who is signed in. */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { contract } from '../../shared/contract/index.ts';
import type { LiveIntake } from '../../shared/contract/viewer/viewer.ts';
import { openEventStream } from './event-stream.ts';
import { currentIdentity, identityHeaders, watchIdentity } from './identity.ts';
import { type Connection, Live, type OpenStream, type Signal } from './live.ts';
import { reportRefused } from './refusal-listeners.ts';

/** Listeners to ingest requests, including refused ones. */
const ingestListeners = new Set<() => void>();

/** Listeners to changes of runaways. */
const runawayListeners = new Set<() => void>();

/** Whether the gateway's user has paused receiving. */
let isPaused = false;
const pauseListeners = new Set<() => void>();

const onIntake = (data: string): void => {
  isPaused = (JSON.parse(data) as LiveIntake).paused;
  for (const listener of pauseListeners) listener();
};

const unauthorized = 401;

const openStream: OpenStream = ({ open, commit, failed }) =>
  openEventStream(contract.viewer.live.path, identityHeaders(), {
    open,
    event: (name, data) => {
      if (name === 'commit') commit(data);
      else if (name === 'intake') onIntake(data);
      else if (name === 'runaways') for (const listener of runawayListeners) listener();
      else if (name === 'requests') for (const listener of ingestListeners) listener();
    },
    failed: (status) => {
      if (status === unauthorized) reportRefused();
      failed();
    },
  });

const live = new Live(openStream);

/** A browser opens six connections per origin over HTTP/1.1: a seventh tab would hang if hidden ones kept their streams. */
const hiddenMs = 30_000;

/** No stream before sign-in. */
const hasAccess = (): boolean => {
  const identity = currentIdentity();
  return identity.phase === 'open' || (identity.phase === 'signed-in' && identity.appId !== null);
};

export function reconnect(): void {
  if (hasAccess()) live.connect();
}

export function followGateway(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(live.sleep, hiddenMs);
    else reconnect();
  });
  watchIdentity(() => (hasAccess() ? live.connect() : live.sleep()));
  reconnect();
}

export const beforeRequest = live.beforeRequest;
export const listenToGateway = live.listen;

/** Resolves when the gateway is not known to be unreachable. */
export const whenNotAway = (): Promise<void> =>
  new Promise((resolve) => {
    const check = () => {
      if (live.state.phase === 'waiting') return;
      stop();
      resolve();
    };
    const stop = live.subscribe(check);
    check();
  });

export const useConnection = (): Connection => useSyncExternalStore(live.subscribe, () => live.state);

/** @param listener called when the gateway answers again after a failure. A gap is not enough, because a slow first stream also causes one. */
export function useReconnected(listener: () => void): void {
  const { phase } = useConnection();
  const wasAway = useRef(false);
  useEffect(() => {
    if (phase === 'waiting') wasAway.current = true;
    if (phase !== 'live' || !wasAway.current) return;
    wasAway.current = false;
    listener();
  }, [phase, listener]);
}

export const useIsPaused = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      pauseListeners.add(changed);
      return () => pauseListeners.delete(changed);
    },
    () => isPaused,
  );

export function useSignal(listener: (signal: Signal) => void): void {
  useEffect(() => {
    const stop = live.listen(listener);
    return () => void stop();
  }, [listener]);
}

/** Calls `listener` when requests were added to the ingest log, and after a gap, when some may have been. */
export const useIngestRequests = (listener: () => void): void => useChanges(ingestListeners, listener);

/** Calls `listener` when runaways have changed, and after a gap, when some may have. */
export const useRunawayChanges = (listener: () => void): void => useChanges(runawayListeners, listener);

function useChanges(listeners: Set<() => void>, listener: () => void): void {
  useEffect(() => {
    listeners.add(listener);
    const stop = live.listen((signal) => signal.gap && listener());
    return () => {
      listeners.delete(listener);
      stop();
    };
  }, [listeners, listener]);
}
