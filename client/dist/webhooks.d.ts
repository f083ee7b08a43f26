import type { WebhookObjects } from './api.ts';
type EventOf<T extends string, O> = {
    id: string;
    type: T;
    timestamp: string;
    apiVersion: string;
    accountId: string;
    /** Of an object that would be larger than 20 kB the fields in `omitted` are null or left out: the API has them. */
    data: {
        object: O;
        changes?: Record<string, {
            old: unknown;
            new: unknown;
        }>;
        omitted?: string[];
    };
};
/** What an outgoing webhook is sent. More types are added over time: ignore those you do not know. */
export type WebhookEvent = {
    [T in keyof WebhookObjects]: EventOf<T, WebhookObjects[T]>;
}[keyof WebhookObjects] | EventOf<'webhook.test', {
    webhookId: string;
}>;
/** The delivery is not from this product, not for this receiver, or too old. Answer it 400 and do nothing else. */
export declare class WebhookVerificationError extends Error {
    readonly reason: 'headers-missing' | 'timestamp-out-of-tolerance' | 'signature-wrong' | 'body-unreadable';
    constructor(reason: WebhookVerificationError['reason'], message: string);
}
type GivenHeaders = Headers | Record<string, string | readonly string[] | undefined>;
type VerifyOptions = {
    /** How far the clocks may differ, and how old a delivery may be; 300 where left out. */
    toleranceSeconds?: number;
    now?: Date;
};
/**
 * The event of a delivery whose signature is right by Standard Webhooks for one of the secrets (`whsec_…`). `body` is as
 * it came, before any parsing. Throws a `WebhookVerificationError` otherwise.
 */
export declare function verifyWebhook(body: string | Uint8Array<ArrayBuffer> | ArrayBuffer, headers: GivenHeaders, secrets: string | readonly string[], { toleranceSeconds, now }?: VerifyOptions): Promise<WebhookEvent>;
export {};
