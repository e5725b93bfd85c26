/**
 * Every error code the API can answer, with the HTTP status that belongs to it.
 * Programs test the code; no other file in the repository writes the status number of a failure.
 * docs/reference/http-api.md#error-codes lists them.
 */
export const errorStatus = {
  // The request itself.
  invalid_request_body: 400,
  invalid_query_params: 400,
  invalid_path_params: 400,
  invalid_headers: 400,
  invalid_filter: 400,
  invalid_otlp_payload: 400,
  invalid_capsule: 400,
  protobuf_decode_failed: 400,
  invalid_content_encoding: 400,
  template_parse_error: 400,
  payload_too_large: 413,
  unsupported_media_type: 415,

  // The project of the request.
  invalid_project_file: 422,

  // The caller.
  unauthorized: 401,
  entitlement_required: 402,
  forbidden: 403,
  share_links_not_allowed: 403,
  host_not_allowed: 403,
  origin_not_allowed: 403,

  // The resource.
  not_found: 404,
  trace_not_found: 404,
  trace_deletion_not_found: 404,
  session_not_found: 404,
  span_not_found: 404,
  media_not_found: 404,
  score_not_found: 404,
  score_config_not_found: 404,
  config_not_found: 404,
  template_not_found: 404,
  dataset_not_found: 404,
  experiment_not_found: 404,
  annotation_queue_not_found: 404,
  annotation_queue_item_not_found: 404,
  annotation_queue_rule_not_found: 404,
  comment_not_found: 404,
  notice_not_found: 404,
  api_key_not_found: 404,
  app_not_found: 404,
  invitation_not_found: 404,
  password_reset_not_found: 404,
  alert_not_found: 404,
  alert_channel_not_found: 404,
  deployment_not_found: 404,
  environment_not_found: 404,
  eval_run_not_found: 404,
  worker_run_not_found: 404,
  worker_environment_not_found: 404,
  agent_session_not_found: 404,
  member_not_found: 404,
  login_not_found: 404,
  blob_not_found: 404,
  destination_not_found: 404,
  link_not_found: 404,
  device_sign_in_not_found: 404,
  share_link_not_found: 404,
  service_not_found: 404,

  method_not_allowed: 405,

  // The state of the resource.
  duplicate_app_name: 409,
  duplicate_api_key_name: 409,
  duplicate_alert_name: 409,
  duplicate_alert_channel_name: 409,
  duplicate_score_config_name: 409,
  score_config_in_project_file: 409,
  alert_not_triggered: 409,
  duplicate_environment_name: 409,
  git_connection_missing: 409,
  repo_branch_already_linked: 409,
  queue_archived: 409,
  queue_item_closed: 409,
  review_already_submitted: 409,
  default_environment_locked: 409,
  environment_operation_in_progress: 409,
  source_not_deployable: 409,
  target_version_not_available: 409,
  run_already_terminal: 409,
  environment_busy: 409,
  duplicate_member: 409,
  last_owner: 409,
  duplicate_destination_name: 409,
  too_many_tags: 409,

  // Incomplete requests, old clients and limits.
  missing_required_field: 400,
  not_implemented: 426,
  rate_limit_exceeded: 429,
  span_limit_exceeded: 429,
  storage_cap_exceeded: 429,

  // The other mode serves it.
  not_available_locally: 501,
  not_available_on_cloud: 501,

  // The server.
  env_hosting_provisioning_failed: 500,
  api_key_creation_failed: 500,
  git_connect_not_configured: 503,
  openid_not_configured: 503,
  mail_not_configured: 503,
  workers_not_configured: 503,
  secrets_unavailable: 503,
  worker_not_connected: 503,
  worker_job_failed: 502,
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
