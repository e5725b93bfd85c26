export interface Verdict {
  /** What was measured, with its figures and its limit. */
  what: string;
  ok: boolean;
}

/** What every file `*.scenario.ts` exports. */
export interface Scenario {
  /** @param options the words after the scenario's name on the command line */
  run(options: string[]): Promise<Verdict[]>;
}
