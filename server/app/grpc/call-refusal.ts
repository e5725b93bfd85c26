/** A call that ends for a reason that only gRPC knows. All other reasons are Failures. */
export class CallRefusal extends Error {
  /** gRPC status code. */
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
