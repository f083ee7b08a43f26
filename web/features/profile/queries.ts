import { listMySessions, listMyTokens } from '#contract/auth.ts'
import { listMailChoices } from '#contract/mail.ts'
import { getSecondFactor } from '#contract/second-factor.ts'
import { type Opened, type Reads, read } from '../../calls.ts'
import { readsOfNotice } from '../../shell/queries.ts'

/** Reads all: a user has at most 20. */
export const sessions = read(listMySessions, { query: { limit: 100, sort: '-createdAt' } })

/** Reads all: a user has at most 20. */
export const tokens = read(listMyTokens, { query: { limit: 100, sort: '-createdAt' } })

export const secondFactor = read(getSecondFactor)

export const mailChoices = read(listMailChoices)

/** Not the tokens, which are refused at an account's own domain. */
export const readsOfProfile = (opened: Opened): Reads => [mailChoices, secondFactor, sessions, ...readsOfNotice(opened)]
