/** One exporter: sends new batches, tries again what got no answer, and now and then sends something twice or wrongly. */
import { HttpClient } from '../gateway/http-client.ts';
import { encode, type Format, formats, headersOf } from '../traffic/formats.ts';
import { Random } from '../traffic/random.ts';
import { agentService } from '../traffic/span.ts';
import { ClientTraffic, type Made } from './client-traffic.ts';
import type { Ledger } from './ledger.ts';
import type { SentRequest } from './sent-span.ts';

/** Answers that no correct gateway gives; each ends the run. */
export type Complain = (problem: string) => void;

const recentMax = 12;
const retriedMax = 40;

export class CrashClient {
  readonly #ledger: Ledger;
  readonly #complain: Complain;
  readonly #traffic: ClientTraffic;
  readonly #random: Random;
  readonly #recent: { request: SentRequest; made: Made[] }[] = [];
  #unanswered: SentRequest[] = [];
  #http: HttpClient | null = null;
  #running = false;

  constructor(seed: string, number: number, ledger: Ledger, complain: Complain) {
    this.#ledger = ledger;
    this.#complain = complain;
    this.#traffic = new ClientTraffic(seed, number);
    this.#random = new Random(`behaviour ${seed} ${number}`);
  }

  /** Sends until told to stop or until the gateway is gone. */
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
    const again = this.#unanswered.shift();
    if (again) return this.#send(again, []);
    const before = this.#recent.length > 0 ? this.#random.pick(this.#recent) : null;
    if (before && roll < 0.06) return this.#send(before.request, before.made);
    if (before && roll < 0.08) return this.#contradict(before.made);
    const made = this.#traffic.nextBatch();
    // The same span twice in one request is the same as in two.
    if (roll > 0.98) made.push(this.#random.pick(made));
    return this.#send(requestOf(made, this.#random.pick(formats)), made);
  }

  async #send(request: SentRequest, made: Made[]): Promise<void> {
    const wasAcked = request.acked;
    if (!wasAcked) this.#ledger.sending(request);
    const answer = await this.#post(request.format, request.body);
    if (answer?.status === 200) {
      if (answer.refused > 0) this.#complain(`${answer.refused} good spans were refused: ${answer.text}`);
      if (!wasAcked) this.#ledger.acknowledged(request);
      if (made.length > 0 && !wasAcked) this.#remember(request, made);
      return;
    }
    if (answer && answer.status !== 503) this.#complain(`a good request was answered ${answer.status}: ${answer.text}`);
    // Most exporters try again; some give up, and what they sent may be there or not.
    const triesAgain = !wasAcked && this.#unanswered.length < retriedMax && this.#random.chance(0.8);
    if (triesAgain) this.#unanswered.push(request);
    else if (!wasAcked) request.body = Buffer.alloc(0);
  }

  /** Another span with ids that are taken: told to the sender, and nothing changes. */
  async #contradict(made: Made[]): Promise<void> {
    const { span } = this.#random.pick(made);
    const other = { ...span, name: `${span.name} contradicted` };
    const answer = await this.#post('json', encode([other], agentService, 'json'));
    if (answer?.status === 200 && answer.refused !== 1) this.#complain(`a contradiction was not refused: ${answer.text}`);
  }

  #remember(request: SentRequest, made: Made[]): void {
    this.#recent.push({ request, made });
    if (this.#recent.length > recentMax) this.#recent.shift();
  }

  /** Null when no answer came. */
  async #post(format: Format, body: Buffer): Promise<{ status: number; refused: number; text: string } | null> {
    try {
      const answer = await (this.#http as HttpClient).send('POST', '/v1/traces', headersOf(format), body);
      const text = answer.body.toString();
      if (answer.status !== 200 || format.startsWith('protobuf')) {
        // Full success is an empty protobuf message.
        return { status: answer.status, refused: answer.status === 200 ? answer.body.length : 0, text: text.slice(0, 300) };
      }
      const { partialSuccess } = JSON.parse(text) as { partialSuccess?: { rejectedSpans: string } };
      return { status: 200, refused: Number(partialSuccess?.rejectedSpans ?? 0), text: text.slice(0, 300) };
    } catch {
      this.#running = false;
      return null;
    }
  }
}

function requestOf(made: Made[], format: Format): SentRequest {
  const spans = made.map(({ span }) => span);
  return { spans: made.map(({ sent }) => sent), format, body: encode(spans, agentService, format), acked: false };
}
