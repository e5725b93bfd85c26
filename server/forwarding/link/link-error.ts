/** Reasons of a failed link, as messages for the user. */
const messages = {
  address: 'This address cannot be linked to',
  unreachable: 'No cloud answers at this address. Check the address and the connection, then try again.',
  untrusted: 'The certificate of this address is not valid. Nothing was sent.',
  elsewhere: 'This address redirects to another one. Enter the address of the dashboard of the cloud.',
  no_glasshouse: 'The server at this address is not a Glasshouse cloud, or its version is too old for linking.',
  too_often: 'Too many requests came from this network. Wait a minute, then try again.',
  denied: 'Denied in the dashboard.',
  expired: 'Nobody approved in time, or the key was lost on its way. Begin again.',
  cancelled: 'Cancelled.',
} as const;

export type LinkProblem = keyof typeof messages;

export class LinkError extends Error {
  readonly problem: LinkProblem;

  /** @param message replaces the default message of the problem */
  constructor(problem: LinkProblem, message: string = messages[problem]) {
    super(message);
    this.problem = problem;
  }
}
