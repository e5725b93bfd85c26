/** Reasons of a failed link, as messages for the user. */
const words = {
  address: 'This address cannot be linked to',
  unreachable: 'No cloud answers at this address. Check the address and the connection, then try again.',
  untrusted: 'What answers cannot show that it is this address: its certificate is not valid. Nothing was sent.',
  elsewhere: 'This address leads to another one. Enter the address that the dashboard of the cloud has.',
  no_glasshouse: 'What answers at this address is no Glasshouse cloud, or one that is too old to link to.',
  too_often: 'The cloud was asked too often from this network. Wait a minute, then try again.',
  denied: 'Denied in the dashboard.',
  expired: 'Nobody agreed in time, or the key was lost on its way. Begin again.',
  cancelled: 'It was cancelled.',
} as const;

export type LinkProblem = keyof typeof words;

export class LinkError extends Error {
  readonly problem: LinkProblem;

  /** @param why in place of the words that belong to the problem */
  constructor(problem: LinkProblem, why: string = words[problem]) {
    super(why);
    this.problem = problem;
  }
}
