/** One server-sent event. */
export interface ServerEvent {
  event: string;
  data: string;
}

/** Yields the events of a response until the stream ends; leaving the loop closes it. */
export async function* readEvents({ body }: Response): AsyncGenerator<ServerEvent> {
  const utf8 = new TextDecoder();
  let buffer = '';
  for await (const chunk of body ?? []) {
    buffer += utf8.decode(chunk, { stream: true });
    const blocks = buffer.split('\n\n');
    buffer = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const data = field('data');
      if (data !== undefined) yield { event: field('event') ?? 'message', data };
    }
  }
}
