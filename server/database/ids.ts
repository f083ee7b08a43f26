import { v7 } from 'uuid'

/** A new identifier, rising with time so that indexes grow at one end. */
export const newId = () => v7()

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Stands for 'all' in roll-ups, and for an id that cannot exist. */
export const NIL = '00000000-0000-0000-0000-000000000000'

/** An id from outside, safe to compare with a uuid column: one that is malformed names nothing. */
export const asUuid = (id: string) => (UUID.test(id) ? id.toLowerCase() : NIL)
