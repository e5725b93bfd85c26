/** From process start to the first list on a store that is already large. Its file is in the page cache. */
import { spawnGateway } from '../gateway/gateway-process.ts';
import { HttpClient } from '../gateway/http-client.ts';
import { accepts, freePort } from './port-probe.ts';

export interface ColdStart {
  /** The port accepts connections. */
  portMs: number;
  /** The ready line is printed: requests are served. */
  readyMs: number;
  /** The first page of the list is received. */
  firstListMs: number;
}

export async function measureColdStarts(dataDir: string, times: number): Promise<ColdStart[]> {
  const starts: ColdStart[] = [];
  for (let number = 0; number < times; number++) starts.push(await coldStart(dataDir));
  return starts;
}

async function coldStart(dataDir: string): Promise<ColdStart> {
  const port = await freePort();
  const startedAt = performance.now();
  const elapsed = (): number => performance.now() - startedAt;
  const gateway = spawnGateway(dataDir, port);
  try {
    while (!(await accepts(port))) await new Promise((resolve) => setTimeout(resolve, 2));
    const portMs = elapsed();
    const url = await gateway.ready;
    const readyMs = elapsed();
    const client = new HttpClient(url, 1);
    await client.json('/v1/traces?limit=50');
    const firstListMs = elapsed();
    client.close();
    await gateway.stop();
    return { portMs, readyMs, firstListMs };
  } finally {
    await gateway.kill();
  }
}
