/** A window that its user shares with coding agents: reports what it shows, and receives the places that agents point at. */
import { contract } from '../../shared/contract/index.ts';
import type { WindowPointer, WindowView } from '../../shared/contract/viewer/viewer-windows.ts';
import { gateway } from './client.ts';
import { openEventStream } from './event-stream.ts';
import { identityHeaders } from './identity.ts';
import type { Stream } from './live.ts';

const retryMs = 2_000;
/** Selections change with every movement of the pointer. */
const settleMs = 250;

export interface Sharing {
  /** Reports what the window shows, soon. */
  show(view: WindowView): void;
  stop(): void;
}

/** @param onPointer called for each place that an agent points at */
export function shareWindow(onPointer: (pointer: WindowPointer) => void): Sharing {
  const windowId = crypto.randomUUID();
  const path = contract.viewerWindows.follow.path.replace(':windowId', windowId);
  let stream: Stream | null = null;
  let latest: WindowView | null = null;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let retrying: ReturnType<typeof setTimeout> | undefined;

  const report = () => {
    // The next change or reconnection reports again.
    if (latest) gateway.viewerWindows.show({ params: { windowId }, body: latest }).catch(() => {});
  };
  const follow = () => {
    stream = openEventStream(path, identityHeaders(), {
      open: report,
      event: (_, data) => onPointer(JSON.parse(data) as WindowPointer),
      failed: () => {
        retrying = setTimeout(follow, retryMs);
      },
    });
  };
  follow();
  return {
    show: (view) => {
      latest = view;
      clearTimeout(settling);
      settling = setTimeout(report, settleMs);
    },
    stop: () => {
      clearTimeout(settling);
      clearTimeout(retrying);
      stream?.close();
    },
  };
}
