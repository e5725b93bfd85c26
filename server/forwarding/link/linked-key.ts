/** What a link to a cloud gives: a key for one app, and where it writes. */
export interface LinkedKey {
  url: string;
  key: string;
  app_id: string;
  app_name: string;
  tenant_name: string;
  environment: string | null;
}
