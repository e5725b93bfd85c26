/**
 * Why a project's files could not be used:
 * - `illegal`: the name can stand for no file of a project
 * - `outside`: what the name leads to lies outside the project
 * - `too_large`: more bytes than a file of its kind may have
 * - `unreadable`: the file is there and is not what it should be
 * - `full`, `denied`: the disk would not; nothing was changed
 */
export type ProjectProblem = 'illegal' | 'outside' | 'too_large' | 'unreadable' | 'full' | 'denied';

export class ProjectTrouble extends Error {
  readonly problem: ProjectProblem;

  constructor(problem: ProjectProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}
