/** The second yardstick: the CPU time that JSON.parse alone needs for the same bodies. It validates nothing and stores nothing. */
import { type BodyIndex, BodyReader } from '../traffic/bodies.ts';
import { serveTask } from './helper-process.ts';

export interface JsonParseTask {
  index: BodyIndex;
  /** Parsed before the timer starts, to warm up the compilers: the requests before this one. */
  from: number;
  to: number;
}

export interface JsonParseResult {
  cpuUsPerSpan: number;
}

function parse({ index, from, to }: JsonParseTask): JsonParseResult {
  const reader = new BodyReader(index, 'json');
  const cpuUs = (first: number, end: number): number => {
    let sum = 0;
    for (let request = first; request < end; request++) {
      const body = reader.read(request);
      const before = process.threadCpuUsage();
      JSON.parse(body.toString());
      const { user, system } = process.threadCpuUsage(before);
      sum += user + system;
    }
    return sum;
  };
  cpuUs(0, from);
  const spans = index.spans.slice(from, to).reduce((sum, each) => sum + each, 0);
  const result = { cpuUsPerSpan: cpuUs(from, to) / spans };
  reader.close();
  return result;
}

serveTask(parse);
