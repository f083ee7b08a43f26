import { defineSignal } from '../../platform/events/emit-event.ts'

/** `failures`: consecutive failed tries. */
export const webhookFailing = defineSignal<{ webhookId: string; failures: number }>('outgoing-webhook.failing')

/** It was turned off because it kept failing, or because its receiver is gone. */
export const webhookTurnedOff = defineSignal<{ webhookId: string }>('outgoing-webhook.turned-off')
