import { defineSignal } from '../../platform/events/emit-event.ts'

/** A host that was ready failed for a week, or is another account's now. */
export const hostFailed = defineSignal<{ name: string }>('account.host-failed')
