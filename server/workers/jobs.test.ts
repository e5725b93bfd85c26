import { describe, expect, it, vi } from 'vitest';
import type { JobOrder } from './connection-registry.ts';
import { Jobs } from './jobs.ts';
import { frameBytesMax } from './worker-connection.ts';

const request = { type: 'prompt-run', data: { ast: {} } } as unknown as JobOrder['request'];

function aJob(onLine: (line: unknown) => void = () => {}) {
  const jobs = new Jobs({ monotonic: () => 0 });
  const result = jobs.add('app', { id: 'job', request, silenceMs: 1000, onLine }, () => {});
  const say = (chunk: string) => jobs.hear('app', { type: 'job-stream-chunk', jobId: 'job', chunk });
  return { jobs, result, say };
}

describe('a line that comes in many pieces', () => {
  it('is looked at when it begins and when it ends, and not again with each piece', async () => {
    const lines: unknown[] = [];
    const { jobs, result, say } = aJob((line) => lines.push(line));
    const parse = vi.spyOn(JSON, 'parse');
    say('["');
    for (let piece = 0; piece < 1000; piece++) say('x');
    for (let piece = 0; piece < 1000; piece++) say('');
    say('"]\n');
    const looks = parse.mock.calls.length;
    parse.mockRestore();
    expect([lines, looks]).toEqual([[['x'.repeat(1000)]], 2]);
    jobs.hear('app', { type: 'job-stream-end', jobId: 'job' });
    expect(await result).toEqual({ type: 'stream', result: null });
  });

  it('fails its job when it grows too long', async () => {
    const { result, say } = aJob();
    const failed = expect(result).rejects.toThrow('too long');
    for (let said = 0; said <= frameBytesMax; said += 65_536) say('['.repeat(65_536));
    await failed;
  });
});
