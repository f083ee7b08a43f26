import { signal } from '../../platform/events/happened.ts'

/** `failures`: consecutive failed tries. */
export const webhookFailing = signal<{ webhookId: string; failures: number }>('outgoing-webhook.failing')

/** It was turned off because it kept failing, or because its receiver is gone. */
export const webhookTurnedOff = signal<{ webhookId: string }>('outgoing-webhook.turned-off')
