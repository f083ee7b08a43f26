import { Api } from './api.ts'
import { type ClientOptions, createSend } from './send.ts'

/**
 * The calls of a Tributary, by what they are about: `tributary.partners.create(accountId, { email })`. Writing calls send
 * an idempotency key and are tried again under it, so that they take effect once however often they are sent.
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
