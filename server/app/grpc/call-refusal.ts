/** Ends a call for a reason that exists only in gRPC. All other reasons are Failures. */
export class CallRefusal extends Error {
  /** gRPC status code. */
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
