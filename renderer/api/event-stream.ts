/** Server-sent events over fetch, because an EventSource cannot send headers. The caller reconnects (live.ts). */
import type { Stream } from './live.ts';

export interface StreamListeners {
  open(): void;
  event(name: string, data: string): void;
  /** @param status of a response that was not a stream; null when the connection was lost or never opened */
  failed(status: number | null): void;
}

/** Parser of an event stream. Ignores comments and `retry`. */
export function eventParser(onEvent: StreamListeners['event']): (text: string) => void {
  let buffer = '';
  return (text) => {
    const blocks = (buffer + text).split('\n\n');
    buffer = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n');
      const valuesOf = (field: string) => lines.filter((line) => line.startsWith(`${field}: `)).map((line) => line.slice(field.length + 2));
      const data = valuesOf('data');
      if (data.length > 0) onEvent(valuesOf('event')[0] ?? 'message', data.join('\n'));
    }
  };
}

/** The gateway sends a heartbeat at least every 15 s, so a stream without data for longer than two of them is dead. */
const silentMsMax = 40_000;
/** Limit for the first event, which is sent at once. */
const firstEventMsMax = 10_000;

export function openEventStream(path: string, headers: Record<string, string>, listeners: StreamListeners): Stream {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    clearTimeout(timer);
    controller.abort();
  };
  const fail = (status: number | null) => {
    if (controller.signal.aborted) return;
    close();
    listeners.failed(status);
  };
  const expectData = (withinMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => fail(null), withinMs);
  };
  const readStream = async (): Promise<number | null> => {
    const response = await fetch(path, {
      headers: { ...headers, accept: 'text/event-stream' },
      cache: 'no-store',
      signal: controller.signal,
    });
    if (!response.ok || !response.body) return response.status;
    listeners.open();
    const parse = eventParser(listeners.event);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      if (controller.signal.aborted) break;
      expectData(silentMsMax);
      parse(chunk.value);
    }
    return null;
  };
  expectData(firstEventMsMax);
  readStream().then(fail, () => fail(null));
  return { close };
}
