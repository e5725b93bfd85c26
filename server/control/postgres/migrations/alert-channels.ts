/** Alerts notify several channels and an owner. Notices of one round to one receiver are sent as one group. */
export const alertChannels = `
CREATE TABLE alert_channel (
  id text COLLATE "C" PRIMARY KEY,
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL REFERENCES app ON DELETE CASCADE,
  kind text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  -- Address and secret as sealed JSON.
  sealed text COLLATE "C" NOT NULL,
  -- What may be shown of the address.
  shown text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  created_by text COLLATE "C",
  updated_at text COLLATE "C",
  updated_by text COLLATE "C",
  UNIQUE (app_id, name)
);
ALTER TABLE alert ADD COLUMN channel_ids text COLLATE "C";
ALTER TABLE alert ADD COLUMN owner_id text COLLATE "C";
ALTER TABLE alert_delivery ADD COLUMN target_id text COLLATE "C";
ALTER TABLE alert_delivery ADD COLUMN group_id text COLLATE "C";
CREATE INDEX alert_delivery_group ON alert_delivery (group_id) WHERE group_id IS NOT NULL;
`;
