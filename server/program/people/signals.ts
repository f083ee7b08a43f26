import { signal } from '../../platform/events/happened.ts'

/** A person’s erasure was requested. */
export const personErased = signal<{ erasureId: string }>('person.erased')
