import { randomInt } from 'node:crypto'

/** Letters and digits that are hard to confuse, in one case, so that an address may be read aloud. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Returns a new key of a link's address. */
export const newLinkKey = (length: number) => Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('')
