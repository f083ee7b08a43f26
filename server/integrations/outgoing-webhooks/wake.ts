/** Channel that notifies couriers of new deliveries. */
export const DELIVERIES = 'outgoing-deliveries'
/** Channel that notifies them of changed webhooks. */
export const WEBHOOKS = 'outgoing-webhooks'
