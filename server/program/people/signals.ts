import { signal } from '../../platform/events/happened.ts'

/** A person’s erasure was asked for. */
export const personErased = signal<{ erasureId: string }>('person.erased')
