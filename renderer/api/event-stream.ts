/** Server-sent events over fetch, because an EventSource cannot send headers. The caller reconnects (live.ts). */
import type { Stream } from './live.ts';

export interface StreamHearers {
  open(): void;
  event(name: string, data: string): void;
  /** @param status of an answer that was no stream; null when the line was cut or never stood */
  failed(status: number | null): void;
}

/** Parser of an event stream. Ignores comments and `retry`. */
export function eventsIn(tell: StreamHearers['event']): (text: string) => void {
  let rest = '';
  return (text) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n');
      const of = (field: string) => lines.filter((line) => line.startsWith(`${field}: `)).map((line) => line.slice(field.length + 2));
      const data = of('data');
      if (data.length > 0) tell(of('event')[0] ?? 'message', data.join('\n'));
    }
  };
}

/** The gateway sends a heartbeat at least every 15 s, so a stream that is silent for more than two of them hangs. */
const silentMsMax = 40_000;
/** Limit for the first event, which is sent at once. */
const firstWordsMsMax = 10_000;

export function openEventStream(path: string, headers: Record<string, string>, on: StreamHearers): Stream {
  const leaving = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const leave = () => {
    clearTimeout(timer);
    leaving.abort();
  };
  const fail = (status: number | null) => {
    if (leaving.signal.aborted) return;
    leave();
    on.failed(status);
  };
  const expectWords = (withinMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => fail(null), withinMs);
  };
  const follow = async (): Promise<number | null> => {
    const answer = await fetch(path, { headers: { ...headers, accept: 'text/event-stream' }, cache: 'no-store', signal: leaving.signal });
    if (!answer.ok || !answer.body) return answer.status;
    on.open();
    const hear = eventsIn(on.event);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (leaving.signal.aborted) break;
      expectWords(silentMsMax);
      hear(part.value);
    }
    return null;
  };
  expectWords(firstWordsMsMax);
  follow().then(fail, () => fail(null));
  return { close: leave };
}
