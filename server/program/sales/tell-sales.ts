import type { PublicEvent } from '#contract/events.ts'
import type { By } from '../../platform/by.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { allHappened, type Happening } from '../../platform/events/happened.ts'
import { wholeView } from '../access/access.ts'
import { presentSales } from './present-sales.ts'

type SaleEvent = Extract<PublicEvent, `sale.${string}`>
type SaleHappening = Omit<Happening<SaleEvent>, 'object'>

/** Tells what happened to one sale, as it is now. */
export const tellSale = (
  tx: Transaction,
  by: By,
  accountId: string,
  type: SaleEvent,
  what: Pick<SaleHappening, 'id' | 'changes'>,
) => tellSales(tx, [{ by, accountId, type, ...what }])

/** The same of many sales, of whatever accounts. */
export async function tellSales(tx: Transaction, happenings: SaleHappening[]): Promise<void> {
  if (happenings.length === 0) return
  const sales = await presentSales(
    tx,
    wholeView,
    happenings.map(({ id }) => id),
  )
  await allHappened(
    tx,
    happenings.map((happening) => ({ ...happening, object: sales.get(happening.id)! })),
  )
}
