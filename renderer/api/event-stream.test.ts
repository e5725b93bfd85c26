import { expect, it } from 'vitest';
import { eventsIn } from './event-stream.ts';

it('tells of each event once it is whole, however the text was cut', () => {
  const text =
    'retry: 1000\n\nevent: commit\ndata: {"a":1}\n\n: beat\n\nevent: intake\ndata: x\ndata: y\n\ndata: z\n\nevent: late\ndata: no';
  for (const size of [1, 3, 7, text.length]) {
    const heard: string[][] = [];
    const hear = eventsIn((name, data) => heard.push([name, data]));
    for (let at = 0; at < text.length; at += size) hear(text.slice(at, at + size));
    expect(heard).toEqual([
      ['commit', '{"a":1}'],
      ['intake', 'x\ny'],
      ['message', 'z'],
    ]);
  }
});
