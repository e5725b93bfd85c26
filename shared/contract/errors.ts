/**
 * Every error code the API can answer, with the HTTP status that belongs to it.
 * The code is what programs test; nobody else in the repository writes a status number for a failure.
 * Source: spec "Errors", rulings 3, contract 3.3 and 3.4.
 */
export const errorStatus = {
  // The request itself.
  invalid_request_body: 400,
  invalid_query_params: 400,
  invalid_path_params: 400,
  invalid_filter: 400,
  invalid_otlp_payload: 400,
  protobuf_decode_failed: 400,
  invalid_content_encoding: 400,
  payload_too_large: 413,
  unsupported_media_type: 415,

  // Who is asking.
  unauthorized: 401,
  forbidden: 403,
  host_not_allowed: 403,
  origin_not_allowed: 403,

  // What was asked for.
  not_found: 404,
  trace_not_found: 404,
  span_not_found: 404,
  media_not_found: 404,

  // Where it was asked.
  not_available_locally: 501,
  not_available_on_cloud: 501,

  // Us.
  service_unavailable: 503,
  storage_full: 503,
  storage_unavailable: 503,
  internal_error: 500,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** The body of every error answer. `details` maps a field to its problem and appears only on validation failures. */
export interface ErrorBody {
  error: { code: ErrorCode; message: string; details?: Record<string, string>; [extra: string]: unknown };
}
