/** Accepted changes that the store has not applied yet. It has no counterpart on SQLite, where the store is written at once. */
export const journal = `
CREATE TABLE journal (
  -- Made by the gateway that accepted it.
  id uuid PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY,
  part smallint NOT NULL,
  accepted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Its sender was told that it is stored, so that no quota may refuse it any more.
  acknowledged boolean NOT NULL DEFAULT false,
  -- It could not be applied while others could, such as without the storage of large values.
  retried boolean NOT NULL DEFAULT false,
  -- Of the body before compression.
  bytes integer NOT NULL,
  body bytea NOT NULL
);
ALTER TABLE journal ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE INDEX journal_part ON journal (part, number);

-- Changes that cannot be applied because of a bug, kept for its repair.
CREATE TABLE journal_failure (
  id uuid PRIMARY KEY,
  part smallint NOT NULL,
  bytes integer NOT NULL,
  failed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  reason text COLLATE "C" NOT NULL,
  body bytea NOT NULL
);

-- Gateways that write, each seen by the clock of the database.
CREATE TABLE journal_writer (
  holder text COLLATE "C" PRIMARY KEY,
  seen timestamptz NOT NULL
);

-- Epochs of owners: a later owner has a higher one, whatever part it owns.
CREATE SEQUENCE journal_epoch;
`;
