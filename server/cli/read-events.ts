/** Server-sent events, one by one. */
export interface ServerEvent {
  event: string;
  data: string;
}

/** Ends when the stream does; leaving the loop closes it. */
export async function* readEvents({ body }: Response): AsyncGenerator<ServerEvent> {
  const utf8 = new TextDecoder();
  let waiting = '';
  for await (const chunk of body ?? []) {
    waiting += utf8.decode(chunk, { stream: true });
    const blocks = waiting.split('\n\n');
    waiting = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const data = field('data');
      if (data !== undefined) yield { event: field('event') ?? 'message', data };
    }
  }
}
