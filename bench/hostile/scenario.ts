export interface Verdict {
  /** The measurement with its figures and its limit. */
  what: string;
  ok: boolean;
}

/** The exports of every `*.scenario.ts`. */
export interface Scenario {
  /** @param options the command-line arguments after the scenario's name */
  run(options: string[]): Promise<Verdict[]>;
}
