import { listMySessions, listMyTokens } from '#contract/auth.ts'
import { listMailChoices } from '#contract/mail.ts'
import { read } from '../../calls.ts'
import type { Reads } from '../../reads.ts'

/** Nobody has more than 20. */
export const sessions = read(listMySessions, { query: { limit: 100, sort: '-createdAt' } })

/** Nor more than 20 of these. */
export const tokens = read(listMyTokens, { query: { limit: 100, sort: '-createdAt' } })

export const mailChoices = read(listMailChoices)

export const readsOfProfile = (): Reads => [mailChoices, sessions, tokens]
