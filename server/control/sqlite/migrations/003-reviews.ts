/**
 * Queues of what people are to judge, who judged it, and comments. Scores are kept with the telemetry, in another file: those of a review
 * wait in the outbox, committed with it, until they have arrived there. `position` is the order in which rows came.
 */
export const reviews = `
CREATE TABLE annotation_queue (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  name TEXT NOT NULL,
  description TEXT,
  score_config_names TEXT,
  dataset_id TEXT,
  status TEXT NOT NULL,
  instructions TEXT,
  reviewers_required INTEGER NOT NULL,
  created_by TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT
) STRICT;
CREATE INDEX annotation_queue_app ON annotation_queue (app_id, created_at);

CREATE TABLE annotation_item (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  queue_id TEXT NOT NULL REFERENCES annotation_queue ON DELETE CASCADE,
  resource_id TEXT NOT NULL,
  resource_type TEXT NOT NULL,
  status TEXT NOT NULL,
  assigned_to TEXT,
  completed_by TEXT,
  completed_at TEXT,
  created_at TEXT NOT NULL,
  UNIQUE (queue_id, resource_type, resource_id)
) STRICT;
CREATE INDEX annotation_item_queue ON annotation_item (queue_id, position);
CREATE INDEX annotation_item_status ON annotation_item (queue_id, status, position);
CREATE INDEX annotation_item_assigned ON annotation_item (app_id, assigned_to) WHERE assigned_to IS NOT NULL;

CREATE TABLE reviewer (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  item_id TEXT NOT NULL REFERENCES annotation_item (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  status TEXT NOT NULL,
  completed_at TEXT,
  created_at TEXT NOT NULL,
  UNIQUE (item_id, user_id)
) STRICT;

CREATE TABLE comment (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  resource_id TEXT NOT NULL,
  resource_type TEXT NOT NULL,
  body TEXT NOT NULL,
  user_id TEXT,
  author_name TEXT,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT
) STRICT;
CREATE INDEX comment_resource ON comment (app_id, resource_id, created_at, position);
CREATE INDEX comment_app ON comment (app_id, created_at, position);

CREATE TABLE score_outbox (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  scores TEXT NOT NULL
) STRICT;
CREATE INDEX score_outbox_app ON score_outbox (app_id);
`;
