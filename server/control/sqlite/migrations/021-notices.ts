/** What members are told of: comments that mention them, and replies. */
export const notices = `
CREATE TABLE notice (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  tenant_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  comment_id TEXT NOT NULL REFERENCES comment (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  created_at TEXT NOT NULL,
  read_at TEXT,
  UNIQUE (comment_id, user_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES member ON DELETE CASCADE
) STRICT;
CREATE INDEX notice_member ON notice (tenant_id, user_id, position);
CREATE INDEX notice_unread ON notice (tenant_id, user_id) WHERE read_at IS NULL;
`;
