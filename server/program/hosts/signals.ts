import { signal } from '../../platform/events/happened.ts'

/** A host that was ready failed for a week, or is another account's now. */
export const hostFailed = signal<{ name: string }>('account.host-failed')
