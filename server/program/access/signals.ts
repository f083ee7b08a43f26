import { signal } from '../../platform/events/happened.ts'

/** A user created a key of an account, or a personal token. */
export const keyCreated = signal<{ userId: string; name: string }>('key.created')
