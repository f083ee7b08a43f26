import { defineSignal } from '../../platform/events/emit-event.ts'

/** A person’s erasure was requested. */
export const personErased = defineSignal<{ erasureId: string }>('person.erased')
