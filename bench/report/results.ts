/** Everything that one run measured: what goes to .cache/bench as JSON and what the report is written from. */
import type { ColdStart } from '../measure/cold-start.ts';
import type { EventLoop } from '../measure/event-loop.ts';
import type { Growth } from '../measure/growth.ts';
import type { Round } from '../measure/rounds.ts';

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
  mode: 'quick' | 'full';
  machine: Machine;
  /** Spans of a round, the untimed first ones left out. */
  roundSpans: number;
  rounds: Round[];
  growth: Growth;
  coldStarts: ColdStart[];
  loop: EventLoop;
}
