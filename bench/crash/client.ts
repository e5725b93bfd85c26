/** One exporter: sends new batches, retries unanswered ones, and sometimes sends a duplicate or a conflicting span. */
import { HttpClient } from '../gateway/http-client.ts';
import { encode, type Format, formats, headersOf } from '../traffic/formats.ts';
import { Random } from '../traffic/random.ts';
import { agentService } from '../traffic/span.ts';
import { ClientTraffic, type GeneratedSpan } from './client-traffic.ts';
import type { Ledger } from './ledger.ts';
import type { SentRequest } from './sent-span.ts';

/** Reports a response that no correct gateway gives; each ends the run. */
export type ReportProblem = (problem: string) => void;

const recentMax = 12;
const retriedMax = 40;

export class CrashClient {
  readonly #ledger: Ledger;
  readonly #report: ReportProblem;
  readonly #traffic: ClientTraffic;
  readonly #random: Random;
  readonly #recent: { request: SentRequest; generated: GeneratedSpan[] }[] = [];
  #unanswered: SentRequest[] = [];
  #http: HttpClient | null = null;
  #running = false;

  constructor(seed: string, number: number, ledger: Ledger, report: ReportProblem) {
    this.#ledger = ledger;
    this.#report = report;
    this.#traffic = new ClientTraffic(seed, number);
    this.#random = new Random(`behaviour ${seed} ${number}`);
  }

  /** Sends until `stop` is called or the gateway is killed. */
  async load(url: string): Promise<void> {
    this.#http = new HttpClient(url, 1);
    this.#running = true;
    while (this.#running) {
      await this.#next();
      if (this.#random.chance(0.3)) await new Promise((resolve) => setTimeout(resolve, this.#random.between(1, 12)));
    }
    this.#http.close();
  }

  stop(): void {
    this.#running = false;
  }

  #next(): Promise<void> {
    const roll = this.#random.fraction();
    const unanswered = this.#unanswered.shift();
    if (unanswered) return this.#send(unanswered, []);
    const previous = this.#recent.length > 0 ? this.#random.pick(this.#recent) : null;
    if (previous && roll < 0.06) return this.#send(previous.request, previous.generated);
    if (previous && roll < 0.08) return this.#sendConflict(previous.generated);
    const generated = this.#traffic.nextBatch();
    // A duplicate inside one request must be handled like one in two requests.
    if (roll > 0.98) generated.push(this.#random.pick(generated));
    return this.#send(requestOf(generated, this.#random.pick(formats)), generated);
  }

  async #send(request: SentRequest, generated: GeneratedSpan[]): Promise<void> {
    const wasAcked = request.acked;
    if (!wasAcked) this.#ledger.sending(request);
    const response = await this.#post(request.format, request.body);
    if (response?.status === 200) {
      if (response.refused > 0) this.#report(`${response.refused} valid spans were refused: ${response.text}`);
      if (!wasAcked) this.#ledger.acknowledged(request);
      if (generated.length > 0 && !wasAcked) this.#remember(request, generated);
      return;
    }
    if (response && response.status !== 503) this.#report(`a valid request was answered ${response.status}: ${response.text}`);
    // Most exporters retry; some give up, and their spans may be stored or not.
    const willRetry = !wasAcked && this.#unanswered.length < retriedMax && this.#random.chance(0.8);
    if (willRetry) this.#unanswered.push(request);
    else if (!wasAcked) request.body = Buffer.alloc(0);
  }

  /** Sends a different span with ids that exist: it must be refused and change nothing. */
  async #sendConflict(generated: GeneratedSpan[]): Promise<void> {
    const { span } = this.#random.pick(generated);
    const other = { ...span, name: `${span.name} conflicting` };
    const response = await this.#post('json', encode([other], agentService, 'json'));
    if (response?.status === 200 && response.refused !== 1) this.#report(`a conflicting span was not refused: ${response.text}`);
  }

  #remember(request: SentRequest, generated: GeneratedSpan[]): void {
    this.#recent.push({ request, generated });
    if (this.#recent.length > recentMax) this.#recent.shift();
  }

  /** Null without a response. */
  async #post(format: Format, body: Buffer): Promise<{ status: number; refused: number; text: string } | null> {
    try {
      const response = await (this.#http as HttpClient).send('POST', '/v1/traces', headersOf(format), body);
      const text = response.body.toString();
      if (response.status !== 200 || format.startsWith('protobuf')) {
        // Full success is an empty protobuf message.
        return { status: response.status, refused: response.status === 200 ? response.body.length : 0, text: text.slice(0, 300) };
      }
      const { partialSuccess } = JSON.parse(text) as { partialSuccess?: { rejectedSpans: string } };
      return { status: 200, refused: Number(partialSuccess?.rejectedSpans ?? 0), text: text.slice(0, 300) };
    } catch {
      this.#running = false;
      return null;
    }
  }
}

function requestOf(generated: GeneratedSpan[], format: Format): SentRequest {
  const spans = generated.map(({ span }) => span);
  return { spans: generated.map(({ sent }) => sent), format, body: encode(spans, agentService, format), acked: false };
}
