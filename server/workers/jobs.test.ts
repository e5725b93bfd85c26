import { describe, expect, it, vi } from 'vitest';
import type { JobOrder } from './connection-registry.ts';
import { Jobs } from './jobs.ts';
import { frameBytesMax } from './worker-connection.ts';

const request = { type: 'prompt-run', data: { ast: {} } } as unknown as JobOrder['request'];

function aJob(onLine: (line: unknown) => void = () => {}) {
  const jobs = new Jobs({ monotonic: () => 0 });
  const result = jobs.add('app', { id: 'job', request, silenceMs: 1000, onLine }, () => {});
  const send = (chunk: string) => jobs.receive('app', { type: 'job-stream-chunk', jobId: 'job', chunk });
  return { jobs, result, send };
}

describe('a line that arrives in many pieces', () => {
  it('is parsed when it begins and when it ends, and not again with each piece', async () => {
    const lines: unknown[] = [];
    const { jobs, result, send } = aJob((line) => lines.push(line));
    const parse = vi.spyOn(JSON, 'parse');
    send('["');
    for (let piece = 0; piece < 1000; piece++) send('x');
    for (let piece = 0; piece < 1000; piece++) send('');
    send('"]\n');
    const parses = parse.mock.calls.length;
    parse.mockRestore();
    expect([lines, parses]).toEqual([[['x'.repeat(1000)]], 2]);
    jobs.receive('app', { type: 'job-stream-end', jobId: 'job' });
    expect(await result).toEqual({ type: 'stream', result: null });
  });

  it('fails its job when it grows too long', async () => {
    const { result, send } = aJob();
    const failed = expect(result).rejects.toThrow('too long');
    for (let sent = 0; sent <= frameBytesMax; sent += 65_536) send('['.repeat(65_536));
    await failed;
  });
});
