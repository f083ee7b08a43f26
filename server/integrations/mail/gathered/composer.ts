import type { MailKind } from '#contract/mail.ts'
import type { Database } from '../../../platform/database/pool.ts'
import type { Secrets } from '../../../platform/database/secrets.ts'
import type { AccountFacts } from '../../../program/access/account-facts.ts'
import type { DataOf } from '../letters/registry.ts'

/** The contents of a gathered mail, and its reader. */
export type Gathered = {
  db: Database
  appUrl: string
  /** Opens the bank details, whose last four digits are shown. */
  secrets: Secrets
  account: AccountFacts
  /** Null: the account's owner. */
  partnerId: string | null
  news: { subjectId: string; occasion: string }[]
}

/** Reads a letter's data when the mail is sent, as its reader may see it. Null: there is no longer anything to send. */
export type Composer<Kind extends MailKind> = (gathered: Gathered) => Promise<DataOf<Kind> | null>

export const subjectsOf = ({ news }: Gathered) => [...new Set(news.map(({ subjectId }) => subjectId))]

/** The view of the account's owner, or of the recipient partner. */
export const readerOf = ({ account, partnerId }: Gathered) =>
  ({ as: partnerId ? 'partner' : 'owner', partnerId, account }) as const
