/** The valve of the rules that were asked for last: a sender asks with the same for hours. */
import { Valve, type ValveSetting } from '../../../forwarding/valve/valve.ts';

export class Valves {
  #last: { text: string; valve: Valve } | null = null;

  of({ policy, token_key }: ValveSetting): Valve {
    const text = JSON.stringify([policy, Buffer.from(token_key).toString('base64')]);
    if (this.#last?.text !== text) this.#last = { text, valve: new Valve(policy, token_key) };
    return this.#last.valve;
  }
}
