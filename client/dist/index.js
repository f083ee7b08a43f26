import { Api } from './api.js';
import { createSend } from './send.js';
/**
 * The calls of a Tributary, by what they are about: `tributary.partners.create(accountId, { email })`. Writing calls send
 * an idempotency key and are tried again under it, so that they take effect once however often they are sent.
 */
export class Tributary extends Api {
    constructor(options) {
        super(createSend(options));
    }
}
export * from './errors.js';
export { List } from './list.js';
export { verifyWebhook, WebhookVerificationError } from './webhooks.js';
