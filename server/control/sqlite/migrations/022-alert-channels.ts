/** Alerts notify several channels and an owner. Notices of one round to one receiver are sent as one group. */
export const alertChannels = `
CREATE TABLE alert_channel (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  -- Address and secret as sealed JSON.
  sealed TEXT NOT NULL,
  -- What may be shown of the address.
  shown TEXT NOT NULL,
  created_at TEXT NOT NULL,
  created_by TEXT,
  updated_at TEXT,
  updated_by TEXT,
  UNIQUE (app_id, name)
) STRICT;
ALTER TABLE alert ADD COLUMN channel_ids TEXT;
ALTER TABLE alert ADD COLUMN owner_id TEXT;
ALTER TABLE alert_delivery ADD COLUMN target_id TEXT;
ALTER TABLE alert_delivery ADD COLUMN group_id TEXT;
CREATE INDEX alert_delivery_group ON alert_delivery (group_id) WHERE group_id IS NOT NULL;
`;
