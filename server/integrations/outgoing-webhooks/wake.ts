/** The channel on which couriers hear that something is to be delivered. */
export const DELIVERIES = 'outgoing-deliveries'
/** The channel on which they hear that a webhook changed. */
export const WEBHOOKS = 'outgoing-webhooks'
