import type { Queryable } from '../../../../platform/database/pool.ts'
import type { AccountFacts } from '../../../access/account-facts.ts'
import type { Carrier, ToldTransfer, TransferPage } from '../method.ts'
import { type Transfer, WiseError } from './client.ts'
import { findConnection, wiseOf } from './connection.ts'
import { meanings } from './steps.ts'

/** Reads a page of one profile after the other: the selected one, then those paid from since. */
export const readTransfers: Carrier['transfers'] = async (services, account, { since, from }) => {
  const connection = await findConnection(services.db, account.id)
  const wise = wiseOf(services, account.id, connection)
  const chosen = connection.profile?.id
  if (!wise || !chosen) return null
  const profiles = [chosen, ...(await othersPaidFrom(services.db, account.id, chosen, since))]
  const [at, offset] = from ? placeOf(from, profiles) : [0, 0]
  const profile = profiles[at]
  if (!profile) return { transfers: [], next: null }
  const { transfers, next } = await wise.transfersPage(profile, since, offset).catch((error: unknown) => {
    // a profile that only another token could access is skipped
    if (error instanceof WiseError && error.kind === 'withheld' && profile !== chosen)
      return { transfers: [], next: null }
    throw error
  })
  const nextProfile = profiles[at + 1]
  return {
    transfers: transfers.map((transfer) => told(transfer, profile, account)),
    next: next !== null ? `${profile}:${next}` : nextProfile ? `${nextProfile}:0` : null,
  } satisfies TransferPage
}

function placeOf(from: string, profiles: string[]): [at: number, offset: number] {
  const [profile, offset] = from.split(':')
  const at = profiles.indexOf(profile!)
  // the profile was changed meanwhile: start again
  return at < 0 ? [0, 0] : [at, Number(offset)]
}

async function othersPaidFrom(db: Queryable, accountId: string, chosen: string, since: Date): Promise<string[]> {
  const rows = await db.many<{ id: string }>`
    select distinct a.paid_from as id from payout_attempts a join payouts o on o.account_id = a.account_id and o.id = a.payout_id
    where o.account_id = ${accountId} and coalesce(a.method, 'wise') = 'wise' and a.paid_from <> ${chosen}
      and a.at >= ${since}
    order by 1`
  return rows.map(({ id }) => id)
}

function told(transfer: Transfer, paidFrom: string, { defaultCurrency }: AccountFacts): ToldTransfer {
  const { id, customerTransactionId, reference, recipientId, quoteId, status, createdAt } = transfer
  return {
    ...{ id, paidFrom, reference, recipientId, quoteId },
    transactionId: customerTransactionId,
    amount: defaultCurrency === 'usd' ? transfer.targetValue : transfer.sourceValue,
    state: status,
    standing: meanings.get(status) ?? 'other',
    madeAt: createdAt,
  }
}
