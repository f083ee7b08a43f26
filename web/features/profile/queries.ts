import { listMySessions, listMyTokens } from '#contract/auth.ts'
import { listMailChoices } from '#contract/mail.ts'
import { getSecondFactor } from '#contract/second-factor.ts'
import { apiQuery, type Opened, type Reads } from '../../calls.ts'
import { readsOfNotice } from '../../shell/queries.ts'

/** Reads all: a user has at most 20. */
export const sessionsQuery = apiQuery(listMySessions, { query: { limit: 100, sort: '-createdAt' } })

/** Reads all: a user has at most 20. */
export const tokensQuery = apiQuery(listMyTokens, { query: { limit: 100, sort: '-createdAt' } })

export const secondFactorQuery = apiQuery(getSecondFactor)

export const mailChoicesQuery = apiQuery(listMailChoices)

/** Not the tokens, which are refused at an account's own domain. */
export const readsOfProfile = (opened: Opened): Reads => [
  mailChoicesQuery,
  secondFactorQuery,
  sessionsQuery,
  ...readsOfNotice(opened),
]
