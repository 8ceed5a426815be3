/** What is read about where people come from, what they ask for, and who is told of it. Part of the store's interface. */
import type { DirectoryReads } from './directory/directory-records.ts';
import type { RequestReads } from './requests/request-records.ts';
import type { ProviderReads } from './provider/provider-records.ts';
import type { ProvisioningReads } from './provisioning/provisioning-records.ts';
import type { WebhookReads } from './webhooks/webhook-records.ts';

export interface IdentityReads {
  directories: DirectoryReads;
  requests: RequestReads;
  providers: ProviderReads;
  provisioning: ProvisioningReads;
  webhooks: WebhookReads;
}
