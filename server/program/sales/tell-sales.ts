import type { PublicEvent } from '#contract/events.ts'
import type { Sale } from '#contract/sales.ts'
import type { By } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { allHappened, type Happening } from '../../platform/events/happened.ts'
import { wholeViewOf } from '../access/access.ts'
import type { WrittenEntry } from '../commissions/present-entries.ts'
import type { LeadIdentity } from '../leads/lead-name.ts'
import { presentRecorded, presentSales, type SaleColumns } from './present-sales.ts'

type SaleEvent = Extract<PublicEvent, `sale.${string}`>
type SaleHappening = Omit<Happening<SaleEvent>, 'object'>

/** A sale just recorded: its row, its lead, its earnings. */
export type SaleToTell = { by: By; row: SaleColumns; lead: LeadIdentity | null; entries: WrittenEntry[] }

/**
 * Sends the events of new sales and their entries, from the rows written; returns the sales as the account's owner sees
 * them, by id. `names`: those of the partners. One statement, however many.
 */
export async function tellRecorded(
  tx: Transaction,
  names: Map<string, string>,
  recorded: SaleToTell[],
): Promise<Map<string, Sale>> {
  const sales = recorded.map((one) => presentRecorded(names, one.row, one))
  const toldBy = (type: 'sale.created' | 'commission.created', by: By, accountId: string) => ({ type, by, accountId })
  await allHappened(tx, [
    ...recorded.flatMap(({ by, row: { accountId } }, index) =>
      sales[index]!.commissions.map((object) => ({
        ...toldBy('commission.created', by, accountId),
        ...{ id: object.id, object },
      })),
    ),
    ...recorded.map(({ by, row: { accountId } }, index) => ({
      ...toldBy('sale.created', by, accountId),
      ...{ id: sales[index]!.id, object: sales[index]! },
    })),
  ])
  return new Map(sales.map((sale) => [sale.id, sale]))
}

/** Sends an event for one sale with its current state. */
export const tellSale = (
  tx: Transaction,
  by: By,
  accountId: string,
  type: SaleEvent,
  what: Pick<SaleHappening, 'id' | 'changes'>,
) => tellSales(tx, [{ by, accountId, type, ...what }])

/** Sales whose events are written together: a lead may have thousands. */
const AT_ONCE = 1000

/** Sends events for many sales of any accounts. */
export async function tellSales(tx: Transaction, happenings: SaleHappening[]): Promise<void> {
  for (let at = 0; at < happenings.length; at += AT_ONCE) await tellSome(tx, happenings.slice(at, at + AT_ONCE))
}

async function tellSome(tx: Transaction, happenings: SaleHappening[]): Promise<void> {
  const sales = await presentSales(
    tx,
    wholeViewOf(happenings.map(({ accountId }) => accountId)),
    happenings.map(({ id }) => id),
  )
  await allHappened(
    tx,
    happenings.map((happening) => ({ ...happening, object: sales.get(happening.id)! })),
  )
}
