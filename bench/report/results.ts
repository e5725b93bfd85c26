/** All measurements of one run: written to .cache/bench as JSON, and the input of the report. */
import type { Verdict } from '../hostile/scenario.ts';
import type { AtRest } from '../measure/at-rest.ts';
import type { ColdRound } from '../measure/cold-rounds.ts';
import type { ColdStart } from '../measure/cold-start.ts';
import type { EventLoop } from '../measure/event-loop.ts';
import type { Growth } from '../measure/growth.ts';
import type { Huge } from '../measure/huge.ts';
import type { Round } from '../measure/rounds.ts';
import type { Sustained } from '../measure/sustained.ts';
import type { Unindexed } from '../measure/unindexed.ts';

export interface Machine {
  cpu: string;
  cores: number;
  memoryGb: number;
  os: string;
  node: string;
  /** Load of the machine when the run began. */
  load: number;
}

export interface Results {
  at: string;
  mode: 'quick' | 'full' | 'huge';
  machine: Machine;
  /** Spans of a round, without those of the warm-up. */
  roundSpans: number;
  rounds: Round[];
  /** From an empty folder without a warm-up. */
  coldRounds: ColdRound[];
  growth: Growth;
  coldStarts: ColdStart[];
  loop: EventLoop;
  /** With `--full`. */
  unindexed?: Unindexed;
  atRest?: { local: AtRest; cloud: AtRest };
  maintenance?: Verdict[];
  /** With `--sustained`. */
  sustained?: Sustained;
  /** With `--huge`. */
  huge?: Huge;
}
