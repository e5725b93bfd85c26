/**
 * Why a project's files could not be used:
 * - `illegal`: the name cannot be the name of a project file
 * - `outside`: the path leads outside the project
 * - `too_large`: more bytes than a file of its kind may have
 * - `unreadable`: the file exists but is not a readable file of its kind
 * - `invalid`: its content is invalid, at a known line
 * - `full`, `denied`: the disk is full, or access is denied; nothing was changed
 */
export type ProjectProblem = 'illegal' | 'outside' | 'too_large' | 'unreadable' | 'invalid' | 'full' | 'denied';

export class ProjectError extends Error {
  readonly problem: ProjectProblem;
  /** For `invalid`. */
  readonly location: ErrorLocation | null;

  constructor(problem: ProjectProblem, message: string, location: ErrorLocation | null = null) {
    super(message);
    this.problem = problem;
    this.location = location;
  }
}

/** Position of an error in a project file. */
export interface ErrorLocation {
  path: string;
  /** Counted from 1. */
  line: number;
  why: string;
}

export const invalidFile = (location: ErrorLocation): ProjectError =>
  new ProjectError('invalid', `Line ${location.line} of ${location.path} ${location.why}`, location);
