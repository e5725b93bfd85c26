/**
 * `npm run bench:viewer`: the speed of the trace page in a real browser against a real gateway. Opens traces of several sizes,
 * and scrolls and zooms them frame by frame without a frame rate limit, so that the time of a frame is its work.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { systemChromium } from '../../scripts/chromium.ts';
import { spawnGateway } from '../gateway/gateway-process.ts';
import { HttpClient } from '../gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { quietMoment } from '../measure/machine.ts';
import { AgentStream } from '../traffic/agent-stream.ts';
import { encodeJson } from '../traffic/encode-json.ts';
import { agentService } from '../traffic/span.ts';
import { type Frames, measureTracePage, type PageFigures, type Spread, type Work } from './trace-page.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000' },
    seed: { type: 'string', default: '1' },
    /** How often each trace is opened. */
    rounds: { type: 'string', default: '5' },
  },
});

const sizes = values.sizes.split(',').map(Number);
const bodySpans = 500;
/** Opening this trace first loads the page's code, so that it is not measured. */
const warmUpSpans = 50;
const indexedMs = 60_000;

async function send(client: HttpClient, stream: AgentStream, size: number): Promise<string> {
  const { id, spans } = stream.special(size);
  for (let from = 0; from < spans.length; from += bodySpans) {
    const body = encodeJson(spans.slice(from, from + bodySpans), agentService);
    const { status } = await client.send('POST', '/v1/traces', { 'Content-Type': 'application/json' }, body);
    if (status !== 200) throw new Error(`The gateway answered ${status} to spans`);
  }
  return id;
}

const ms = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0));
const both = (of: (spread: Spread) => string, { clock, processor }: Work) => `${of(clock)} (${of(processor)})`;
const opened = ({ p50, max }: Spread) => `${ms(p50)} / ${ms(max)}`;
const three = ({ p50, p95, max }: Spread) => `${ms(p50)} / ${ms(p95)} / ${ms(max)}`;
const frame = ({ interval, work }: Frames) => `${three(interval)} (${three(work)})`;

const views = ['tree, scrolled', 'timeline, scrolled', 'transcript, scrolled', 'timeline, zoomed'];

/** Milliseconds of wall-clock time, and in brackets of CPU time of the page's main thread. */
function table(rows: [number, PageFigures][]): string {
  const head = ['spans', 'gateway p50', 'open p50 / max', ...views.map((view) => `${view}, frame p50 / p95 / max`)];
  const cells = rows.map(([size, { outlineMs, open, frames }]) => [
    String(size),
    ms(outlineMs.p50),
    both(opened, open),
    ...frames.map(frame),
  ]);
  return [head, head.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

const folder = makeScratchFolder('bench-viewer');
const gateway = spawnGateway(folder);
const executablePath = systemChromium();
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  args: ['--disable-frame-rate-limit', '--disable-gpu-vsync'],
});
try {
  const url = await gateway.ready;
  const client = new HttpClient(url);
  const stream = new AgentStream(`viewer-${values.seed}`, Date.now() - 4 * 3_600_000);
  const warmUp = await send(client, stream, warmUpSpans);
  const rows: [number, PageFigures][] = [];
  for (const size of sizes) {
    process.stdout.write(`${size} spans\n`);
    const traceId = await send(client, stream, size);
    // Signatures are made now, which keeps one of two processors busy for seconds after a trace of this size.
    await quietMoment(indexedMs);
    rows.push([size, await measureTracePage(browser, client, { url, traceId, warmUp, rounds: Number(values.rounds) })]);
  }
  client.close();
  process.stdout.write(`\n${table(rows)}\n\nload ${loadavg()[0]?.toFixed(1)}, ${browser.version()}\n`);
} finally {
  await browser.close();
  await gateway.stop();
  removeFolder(folder);
}
