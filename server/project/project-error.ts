/**
 * Why a project's files could not be used:
 * - `illegal`: the name can stand for no file of a project
 * - `outside`: what the name leads to lies outside the project
 * - `too_large`: more bytes than a file of its kind may have
 * - `unreadable`: the file is there and is not what it should be
 * - `invalid`: its text is not what it must be, at a line that is known
 * - `full`, `denied`: the disk would not; nothing was changed
 */
export type ProjectProblem = 'illegal' | 'outside' | 'too_large' | 'unreadable' | 'invalid' | 'full' | 'denied';

export class ProjectError extends Error {
  readonly problem: ProjectProblem;
  /** For `invalid`. */
  readonly place: BrokenPlace | null;

  constructor(problem: ProjectProblem, message: string, place: BrokenPlace | null = null) {
    super(message);
    this.problem = problem;
    this.place = place;
  }
}

/** Position of an error in a project file. */
export interface BrokenPlace {
  path: string;
  /** Counted from 1. */
  line: number;
  why: string;
}

export const brokenFile = (place: BrokenPlace): ProjectError =>
  new ProjectError('invalid', `Line ${place.line} of ${place.path} ${place.why}`, place);
