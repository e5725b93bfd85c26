/** Notices between the gateways of one installation: small, quick, and lost when nobody listens. */
import { z } from 'zod';

/** Largest payload, as UTF-8 of its JSON text. PostgreSQL takes 8,000 with the envelope. */
export const noticeBytesMax = 7_800;

/** App that a notice is about. */
export const noticeScope = z.strictObject({ tenant_id: z.string(), app_id: z.string() });

export interface NoticeFollower<T> {
  heard(payload: T): void;
  /** Notices may have been lost: whatever they keep current must be looked up again. */
  missed(): void;
}

export interface Notices {
  /**
   * Tells the other gateways, each at most once. Never throws and never waits: a notice that cannot be sent is dropped and logged.
   * @param channel at most 40 characters
   * @param payload a JSON value of at most `noticeBytesMax`
   */
  publish(channel: string, payload: unknown): void;
  /**
   * Calls back for notices of other gateways, until the returned function is called. This gateway's own are not among them.
   * @param schema payloads that do not match are ignored
   */
  follow<T>(channel: string, schema: z.ZodType<T>, follower: NoticeFollower<T>): () => void;
  stop(): Promise<void>;
}

/** Of a gateway without others. */
export const noNotices: Notices = {
  publish: () => {},
  follow: () => () => {},
  stop: async () => {},
};
