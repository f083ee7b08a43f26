import type { Queryable } from '../../platform/database/pool.ts'
import { bookChecks, checkJournal, JOURNAL } from './verify/accounting.ts'
import { applicationChecks } from './verify/applications.ts'
import { awardChecks } from './verify/awards.ts'
import { capChecks } from './verify/caps.ts'
import type { Checks } from './verify/checks.ts'
import { hostChecks } from './verify/custom-domains.ts'
import { entryChecks } from './verify/entries.ts'
import { buildErasedChecks } from './verify/erased.ts'
import { eventChecks } from './verify/events.ts'
import { figureChecks } from './verify/figures.ts'
import { invoiceChecks } from './verify/invoices.ts'
import { checkLeadPay, LEAD_PAY } from './verify/lead-pay.ts'
import { checkParts, PARTS } from './verify/parts.ts'
import { payoutChecks } from './verify/payouts.ts'
import { pictureChecks } from './verify/pictures.ts'
import { peopleChecks } from './verify/privacy.ts'
import { LEADS_SOMEWHERE, referenceChecks } from './verify/references.ts'
import { saleChecks } from './verify/sales.ts'
import { termsChecks } from './verify/terms.ts'

/** A stored value that contradicts the rows it is derived from. */
export type Difference = { check: string; subject: string; expected: string; actual: string }

const checksAt = (now: Date): Checks => ({
  ...saleChecks,
  ...entryChecks,
  ...termsChecks,
  ...capChecks,
  ...peopleChecks,
  ...awardChecks,
  ...applicationChecks,
  ...hostChecks,
  ...pictureChecks,
  ...payoutChecks,
  ...bookChecks,
  ...invoiceChecks,
  ...eventChecks,
  ...buildErasedChecks(),
  ...figureChecks(now),
})

/** Checks that repeat what booked, instead of a query. */
const computed = { [PARTS]: checkParts, [LEAD_PAY]: checkLeadPay, [JOURNAL]: checkJournal }

const SHOWN = 100

/**
 * Recomputes sales, entries, payouts and statistics from their source rows, on one consistent view of the database, and
 * returns every difference (a hundred per check at most), of all checks or of one.
 */
export async function verifyLedger(db: Queryable, only?: string): Promise<Difference[]> {
  const differences: Difference[] = []
  const checks = {
    ...checksAt(db.now),
    ...((only ?? LEADS_SOMEWHERE) === LEADS_SOMEWHERE && (await referenceChecks(db))),
  }
  for (const [check, query] of Object.entries(checks)) {
    if (only && check !== only) continue
    // materialized: planned for all its rows, as there should be none; planned for the first hundred it would take
    // minutes
    const rows = await db.many<Omit<Difference, 'check'>>`
      with found as materialized (${query}) select * from found limit ${SHOWN}`
    differences.push(...rows.map((row) => ({ check, ...row })))
  }
  for (const [check, find] of Object.entries(computed))
    if ((only ?? check) === check)
      differences.push(...(await find(db)).slice(0, SHOWN).map((row) => ({ check, ...row })))
  return differences
}

/** Returns the names of the checks. */
export const listChecks = () => [...Object.keys(checksAt(new Date(0))), LEADS_SOMEWHERE, ...Object.keys(computed)]
