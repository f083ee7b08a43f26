import { z } from 'zod'
import { AmountFromZero, Currency, DateOnly, Email, ExternalId, optionalText, orEmpty, text } from '#contract/values.ts'
import { savepoint } from '../../../platform/database/pool.ts'
import { parse } from '../../../platform/http/parse.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { type ImportedSale, importSales, type Recorded } from '../../../program/sales/import-sales.ts'
import { takeBackSale } from '../../../program/sales/settle-paid.ts'
import { failureOf, type Importing, type ImportKind, type Outcome } from './kind.ts'
import { ofPartner, typed } from './rows.ts'
import { goneAs, standingOf } from './status-words.ts'

const Row = z.strictObject({
  ...ofPartner,
  externalId: orEmpty(ExternalId).optional(),
  email: orEmpty(Email).optional(),
  leadExternalId: orEmpty(ExternalId).optional(),
  amount: AmountFromZero,
  currency: Currency.optional(),
  taxAmount: AmountFromZero.optional(),
  saleDate: DateOnly,
  subscriptionId: optionalText(255).optional(),
  description: optionalText(1000).optional(),
  commission: AmountFromZero.optional(),
  commissionStatus: text(100).optional(),
  status: text(100).optional(),
})
type Row = Omit<z.output<typeof Row>, 'commissionStatus' | 'status'> & { gone: string | null; paid: boolean }

/** Sales of the past, with the commission that was recorded for them or what they earn by the rates of now. */
export const sales: ImportKind<Row> = {
  batch: 400,
  check(values) {
    const { commissionStatus, status, ...row } = parse(
      Row,
      typed(values, ['amount', 'taxAmount', 'commission']),
      'body',
    )
    const standing = standingOf('commissionStatus', commissionStatus, 'owed')
    const gone =
      standingOf('status', status, 'owed') === 'gone' ? status! : standing === 'gone' ? commissionStatus! : null
    // GoAffPro numbers what has no order 0
    const externalId = /^#?0$/.test(row.externalId ?? '') ? null : row.externalId
    return { ...row, externalId, gone, paid: standing === 'paid' }
  },
  keyOf: ({ externalId }) => externalId ?? null,
  async apply(importing, rows) {
    const wanted = rows.filter(({ gone }) => gone === null)
    const outcomes = await together(importing, wanted)
    let next = 0
    return rows.map(({ gone }) => (gone === null ? outcomes[next++]! : goneAs(gone)))
  },
  async undo({ tx, by, account }, made) {
    const adjustmentIds = made.filter(({ type }) => type === 'adjustment').map(({ id }) => id)
    for (const { type, id: saleId } of made)
      if (type === 'sale') await takeBackSale(tx, by, account, { saleId, adjustmentIds })
  },
}

/** All at once; where that is refused, one by one, so that each says why. */
async function together(importing: Importing, rows: Row[]): Promise<Outcome[]> {
  try {
    return await savepoint(importing.tx, () => recorded(importing, rows))
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'unavailable') throw error
    if (rows.length === 1) return [failureOf(error)]
    const outcomes: Outcome[] = []
    for (const row of rows) outcomes.push(...(await together(importing, [row])))
    return outcomes
  }
}

async function recorded({ tx, by, account, settlePaid }: Importing, rows: Row[]): Promise<Outcome[]> {
  const given = rows.map(({ gone: _, ...row }): ImportedSale => ({ ...row, settled: row.paid && settlePaid }))
  return (await importSales(tx, by, account, given)).map(outcomeOf)
}

function outcomeOf(result: Recorded | Error): Outcome {
  if (result instanceof Error) return failureOf(result)
  const { saleId, created, amount, currency, adjustmentIds } = result
  if (!created) return { outcome: 'skipped', message: 'A sale with this external ID is already there.' }
  const made = [
    { type: 'sale' as const, id: saleId },
    ...adjustmentIds.map((id) => ({ type: 'adjustment' as const, id })),
  ]
  return { outcome: 'created', made, sum: { currency, amount } }
}
