import { signal } from '../../platform/events/happened.ts'

/** Failed tries in a row. */
export const webhookFailing = signal<{ webhookId: string; failures: number }>('outgoing-webhook.failing')

/** It was turned off because it kept failing, or because its receiver is gone. */
export const webhookTurnedOff = signal<{ webhookId: string }>('outgoing-webhook.turned-off')
