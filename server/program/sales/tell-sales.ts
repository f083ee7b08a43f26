import type { PublicEvent } from '#contract/events.ts'
import type { Sale } from '#contract/sales.ts'
import type { By } from '../../platform/by.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { allHappened, type Happening } from '../../platform/events/happened.ts'
import { wholeViewOf } from '../access/access.ts'
import type { WrittenEntry } from '../commissions/present-entries.ts'
import type { LeadIdentity } from '../leads/lead-name.ts'
import { presentRecorded, presentSales, type SaleColumns } from './present-sales.ts'

type SaleEvent = Extract<PublicEvent, `sale.${string}`>
type SaleHappening = Omit<Happening<SaleEvent>, 'object'>

/** A sale that was just recorded: its row, whose lead it is, what it earned. */
export type Recorded = { by: By; row: SaleColumns; lead: LeadIdentity | null; entries: WrittenEntry[] }

/**
 * Tells of new sales and of what each earned, from what was written; returns them as the account's owner reads them, by
 * id. `names`: those of the partners. One statement, however many.
 */
export async function tellRecorded(
  tx: Transaction,
  names: Map<string, string>,
  recorded: Recorded[],
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

/** Tells what happened to one sale, as it is now. */
export const tellSale = (
  tx: Transaction,
  by: By,
  accountId: string,
  type: SaleEvent,
  what: Pick<SaleHappening, 'id' | 'changes'>,
) => tellSales(tx, [{ by, accountId, type, ...what }])

/** Notifies of many sales, of whatever accounts. */
export async function tellSales(tx: Transaction, happenings: SaleHappening[]): Promise<void> {
  if (happenings.length === 0) return
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
