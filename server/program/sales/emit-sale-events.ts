import type { PublicEvent } from '#contract/events.ts'
import type { Sale } from '#contract/sales.ts'
import type { Author } from '../../platform/author.ts'
import { eachAccount } from '../../platform/database/by-key.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { type EventWithoutObject, emitEvents, emitEventsWithObjects } from '../../platform/events/emit-event.ts'
import { buildOwnerView } from '../access/access.ts'
import type { WrittenEntry } from '../commissions/present-entries.ts'
import type { LeadIdentity } from '../leads/lead-name.ts'
import { addExternalId, type EventPartners } from '../partner-directory/partner-names.ts'
import { presentRecorded, presentSales, type SaleColumns } from './present-sales.ts'

type SaleEvent = Extract<PublicEvent, `sale.${string}`>
type SaleHappening = EventWithoutObject<SaleEvent>

/** A sale just recorded: its row, its lead, its earnings. */
export type SaleToTell = { by: Author; row: SaleColumns; lead: LeadIdentity | null; entries: WrittenEntry[] }

/**
 * Sends the events of new sales and their entries, from the rows written; returns the sales as the account's owner sees
 * them, by id. One statement, however many.
 */
export async function emitNewSaleEvents(
  tx: Transaction,
  partners: EventPartners,
  recorded: SaleToTell[],
): Promise<Map<string, Sale>> {
  const sales = recorded.map((one) => presentRecorded(partners.names, one.row, one))
  const toldBy = (type: 'sale.created' | 'commission.created', by: Author, accountId: string) => ({
    type,
    by,
    accountId,
  })
  await emitEvents(tx, [
    ...recorded.flatMap(({ by, row: { accountId } }, index) =>
      sales[index]!.commissions.map((entry) => ({
        ...toldBy('commission.created', by, accountId),
        id: entry.id,
        object: addExternalId(entry, partners),
      })),
    ),
    ...recorded.map(({ by, row: { accountId } }, index) => ({
      ...toldBy('sale.created', by, accountId),
      id: sales[index]!.id,
      object: sales[index]!,
    })),
  ])
  return new Map(sales.map((sale) => [sale.id, sale]))
}

/** Sends an event for one sale with its current state. */
export const emitSaleEvent = (
  tx: Transaction,
  by: Author,
  accountId: string,
  type: SaleEvent,
  what: Pick<SaleHappening, 'id' | 'changes'>,
) => emitSaleEvents(tx, [{ by, accountId, type, ...what }])

/** Sends events for many sales of any accounts; without the reason for that of an erased person, whom it may name. */
export async function emitSaleEvents(tx: Transaction, happenings: SaleHappening[]): Promise<void> {
  const erased = await ofErased(
    tx,
    happenings.filter(({ changes }) => changes?.reason),
  )
  const events = happenings.map((one) => (erased.has(one.id) ? withoutReason(one) : one))
  await emitEventsWithObjects(tx, events, (accountIds, ids) => presentSales(tx, buildOwnerView(accountIds), ids))
}

async function ofErased(tx: Transaction, sales: SaleHappening[]): Promise<Set<string>> {
  if (sales.length === 0) return new Set()
  const accountIds = sales.map(({ accountId }) => accountId)
  const rows = await tx.many<{ id: string }>`
    select s.id from sales s join leads l on l.account_id = s.account_id and l.id = coalesce(s.lead_id, s.test_lead_id)
    where s.account_id = ${eachAccount(accountIds, sql`s.account_id`)} and s.id = any(${sales.map(({ id }) => id)}::uuid[])
      and l.erased_at is not null`
  return new Set(rows.map(({ id }) => id))
}

function withoutReason(happening: SaleHappening): SaleHappening {
  const { reason: _, ...changes } = happening.changes ?? {}
  return { ...happening, changes }
}
