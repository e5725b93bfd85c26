import { type ErrorBody, type ErrorCode, errorStatus } from '../../shared/contract/core/errors.ts';

/** An expected failure. The code determines the status; answer.ts alone turns it into the envelope. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly extras: Record<string, unknown>;
  /** Whole seconds after which trying again makes sense: the `Retry-After` header and `error.retry_after_seconds`. */
  readonly retryAfterSeconds: number | null;
  /** Headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    extras: Record<string, unknown> = {},
    retryAfterSeconds: number | null = null,
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.code = code;
    this.extras = extras;
    this.retryAfterSeconds = retryAfterSeconds;
    this.headers = headers;
  }

  get status(): number {
    return errorStatus[this.code];
  }

  body(): ErrorBody {
    const retry = this.retryAfterSeconds === null ? {} : { retry_after_seconds: this.retryAfterSeconds };
    return { error: { code: this.code, message: this.message, ...this.extras, ...retry } };
  }
}

/** Ends a request with an expected failure. */
export function fail(code: ErrorCode, message: string, extras?: Record<string, unknown>): never {
  throw new Failure(code, message, extras);
}

/** Like `fail`, for temporary failures, with `Retry-After`. */
export function failForNow(code: ErrorCode, message: string, retryAfterSeconds: number, extras: Record<string, unknown> = {}): never {
  throw new Failure(code, message, extras, retryAfterSeconds);
}
