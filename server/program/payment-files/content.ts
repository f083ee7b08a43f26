import { csvLines } from '../../platform/csv/csv.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { yearIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { checkApproval } from '../payouts/check-approval.ts'
import { openDetails, payoutDetailsPlace, toShownDetails } from '../payouts/deposit-details.ts'
import type { FileFormat, FileHead, FilePayment } from '../payouts/methods/method.ts'
import type { ActivePayout } from '../payouts/payout-attempts.ts'
import { payoutName } from '../payouts/payout-number.ts'
import { findPayoutsInFiles, type PayoutInFile } from '../payouts/payouts-in-files.ts'

/** An approved payout that a file may pay. */
type Line = Pick<ActivePayout, 'id' | 'partnerId' | 'amount' | 'statementNumber' | 'detailsVersion' | 'stopReason'> & {
  sealed: Buffer
  filed: PayoutInFile
}

/** The year in which a file is paid: that of its execution, or the present one if a person pays it at once. */
export const yearOfPayment = ({ timeZone }: AccountFacts, now: Date, executionDate: string | null) =>
  Math.max(yearIn(timeZone, now), Number(executionDate?.slice(0, 4) ?? 0))

/**
 * Returns those of these payouts that are approved and whose approval still holds for a payment in this year, in the
 * order of their numbers.
 */
export async function fileLines(tx: Transaction, account: AccountFacts, ids: string[], year: number): Promise<Line[]> {
  const payouts = await tx.many<Omit<Line, 'filed'>>`
    select id, partner_id, amount, statement_number, details_version, stop_reason, details_sealed as sealed
    from payouts
    where account_id = ${account.id} and id = any(${ids}::uuid[]) and status = 'approved' and details_sealed is not null
    order by statement_number`
  const filed = new Map((await findPayoutsInFiles(tx, account.id, ids)).map((one) => [one.payoutId, one]))
  const lines: Line[] = []
  for (const payout of payouts) {
    const own = filed.get(payout.id)
    if (own?.live && (await checkApproval(tx, account, payout, year)).isValid) lines.push({ ...payout, filed: own })
  }
  return lines
}

/** Returns the payments of these lines; a line whose details cannot be opened has none. */
export const toPayments = (secrets: Secrets, account: AccountFacts, lines: Line[]): FilePayment[] =>
  lines.flatMap(({ sealed, filed, ...payout }) => {
    const details = openDetails(secrets, sealed, payoutDetailsPlace(payout.id, account.id))
    const name = payoutName(payout)
    const amount = filed.payAmount ?? payout.amount
    return details
      ? [
          {
            name,
            reference: filed.reference ?? name,
            amount,
            currency: account.defaultCurrency,
            recipient: filed.recipient,
            details,
            payee: toShownDetails(details),
          },
        ]
      : []
  })

/** Writes a file; equal arguments make equal bytes. */
export function writeFileText(format: FileFormat, head: FileHead, payments: FilePayment[]): string {
  const made = format.make(head, payments)
  if ('text' in made) return made.text
  const header = Object.keys(made.rows[0]!).map((name) => ({ plain: name }))
  // no byte order mark: this file's reader would treat it as part of the first column's name
  return csvLines([header, ...made.rows.map((row) => Object.values(row))])
}
