import { defineSignal } from '../../platform/events/emit-event.ts'

/** A shop can be called again, with a new key or a new connection. */
export const providerReachable = defineSignal<{ shopId: string }>('payment-provider.reachable')
