import type { BulkActionKind, NewBulkAction } from '#contract/bulk-actions.ts'
import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import type { Install } from '../../platform/services.ts'
import type { AccountFacts } from '../access/account-facts.ts'

export type Acting = {
  tx: Transaction
  install: Install
  jobs: Jobs
  by: Author
  account: AccountFacts
  /** When the person started it. */
  startedAt: string
}
export type ActionRequest<Kind extends BulkActionKind> =
  Extract<NewBulkAction, { action: Kind }> extends never
    ? Extract<NewBulkAction, { reason: string | null }>
    : Extract<NewBulkAction, { action: Kind }>

/** The actions on one partner, lead, payout or case of the account. */
export type ActsOnMany = {
  [Kind in BulkActionKind]: (acting: Acting, id: string, request: ActionRequest<Kind>) => Promise<unknown>
}
