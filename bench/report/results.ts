/** All measurements of one run: written to .cache/bench as JSON, and the input of the report. */
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
  /** Spans of a round, without those of the warm-up. */
  roundSpans: number;
  rounds: Round[];
  growth: Growth;
  coldStarts: ColdStart[];
  loop: EventLoop;
}
