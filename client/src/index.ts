import { Api } from './api.ts'
import { type ClientOptions, createSend } from './send.ts'

/**
 * All calls of a Tributary server, grouped by subject: `tributary.partners.create(accountId, { email })`. Writing calls
 * are retried with an idempotency key, so they take effect only once.
 */
export class Tributary extends Api {
  constructor(options: ClientOptions) {
    super(createSend(options))
  }
}

export type * from './api.ts'
export * from './errors.ts'
export { List, type OneOrMany, type Page } from './list.ts'
export type { CallOptions, ClientOptions, TokenSource } from './send.ts'
export { verifyWebhook, type WebhookEvent, WebhookVerificationError } from './webhooks.ts'
