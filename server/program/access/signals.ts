import { defineSignal } from '../../platform/events/emit-event.ts'

/** A user created a key of an account, or a personal token. */
export const keyCreated = defineSignal<{ userId: string; name: string }>('key.created')
