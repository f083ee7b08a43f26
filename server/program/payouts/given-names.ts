import { createHash } from 'node:crypto'
import { system } from '../../platform/author.ts'
import { readIncarnation, toDatabaseIdentity } from '../../platform/database/incarnation.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Sql } from '../../platform/database/sql.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { toHint } from './method-secrets.ts'

// Names by which banks, partners and others know payouts and payment files. A database put back from a copy has
// forgotten those given since, and must not give them to others (docs/decisions/0014-restoring-an-old-backup.md). Numbers skip
// ahead if it is known to be another database. A data folder that was copied back looks like one after a restart, so
// ids in files are marked in every life but the one in which the account was created; and where another account may debit
// the same account at a bank, whose reports then name payouts of both: one of its owner in its currency, or one that pays
// from an IBAN with the same end.

/** The highest number that providers accept has seven digits; some stay for a last restore. */
const HIGHEST = 9_000_000
/** The least numbers skipped for each day that may have been forgotten. */
const LEAST_SKIPPED = 1000

/** Assigns the account's next numbers of payouts; returns the one before them. The caller has locked its payouts. */
export async function assignNumbers(tx: Transaction, account: Pick<AccountFacts, 'id' | 'timeZone'>, count: number) {
  await skipForgotten(tx, account)
  return tx.value<number>`
    update payout_accounts set last_statement_number = last_statement_number + ${count}
    where account_id = ${account.id} returning last_statement_number - ${count} as before`
}

/**
 * Returns the account's next number of a payment file, and the mark in its ids: null while every earlier id is
 * remembered, and no other account's are reported with them. `payer` is the IBAN that pays. The caller has locked the
 * account's payouts.
 */
export async function nextFile(
  tx: Transaction,
  account: Pick<AccountFacts, 'id' | 'timeZone'>,
  { fileId, payer }: { fileId: string; payer: string | null },
) {
  await skipForgotten(tx, account)
  type Next = { number: number; bornIn: string | null; ownerId: string | null; currency: string }
  const { number, bornIn, ownerId, currency } = await tx.one<Next>`
    select greatest(pa.file_numbers_after, coalesce(
        (select max(number) from payment_files where account_id = ${account.id}), 0)) + 1 as number, a.born_in,
      a.owner_id, a.default_currency as currency
    from accounts a join payout_accounts pa on pa.account_id = a.id where a.id = ${account.id}`
  const others = await tx.value<number>`
    select count(*) from accounts where owner_id = ${ownerId} and default_currency = ${currency} and id <> ${account.id}`
  const payers = payer
    ? await tx.value<number>`
        select count(*) from method_secrets where method = 'sepa' and hint = ${toHint(payer)} and account_id <> ${account.id}`
    : 0
  return { number, mark: others + payers > 0 || bornIn !== (await readIncarnation(tx)) ? markOf(fileId) : null }
}

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const MARKS = `${LETTERS}23456789`

/** Four characters of a file's random id, the first a letter, so that they are not taken for the turn of a payout. */
function markOf(fileId: string): string {
  const bytes = [...createHash('sha256').update(fileId).digest().subarray(0, 4)]
  return bytes.map((byte, at) => (at === 0 ? LETTERS[byte % LETTERS.length] : MARKS[byte % MARKS.length])).join('')
}

/** Marks the numbers of these payout accounts as known elsewhere: the database is an older copy. Their next ones skip. */
export const skipNumbers = (tx: Transaction, which: Sql) =>
  tx.run`update payout_accounts set numbered_in = '' where ${which}`

type Given = { last: number; lastFile: number; numberedIn: string | null; bornIn: string | null }

async function skipForgotten(tx: Transaction, { id, timeZone }: Pick<AccountFacts, 'id' | 'timeZone'>) {
  const ground = toDatabaseIdentity(await readIncarnation(tx))
  const given = await tx.one<Given & { aliveOn: string | null }>`
    select pa.last_statement_number as last, pa.numbered_in, a.born_in,
      greatest(pa.file_numbers_after, coalesce((select max(number) from payment_files where account_id = ${id}), 0)) as last_file,
      (select max(done_on) from account_days where account_id = ${id}) as alive_on
    from accounts a join payout_accounts pa on pa.account_id = a.id where a.id = ${id}`
  const known = given.numberedIn ?? (given.bornIn && toDatabaseIdentity(given.bornIn))
  if (known === ground && given.numberedIn !== null) return
  await tx.run`update payout_accounts set numbered_in = ${ground} where account_id = ${id}`
  if (known === ground || known === null) return
  // a partner gets a number a day at most, and the copy was alive until its last night
  const { partners } = await tx.one<{ partners: number }>`
    select count(*) as partners from partners where account_id = ${id}`
  const days = Math.max(0, daysBetween(given.aliveOn, dayIn(timeZone, tx.now))) + 1
  const skipped = days * Math.max(LEAST_SKIPPED, partners)
  const after = (number: number) => Math.max(number, Math.min(number + skipped, HIGHEST))
  await tx.run`
    update payout_accounts
    set last_statement_number = ${after(given.last)}, file_numbers_after = ${after(given.lastFile)}
    where account_id = ${id}`
  await recordActivity(tx, system, id, 'account.payout-numbers-skipped', {
    id,
    changes: { nextNumber: { old: given.last + 1, new: after(given.last) + 1 } },
  })
}

const daysBetween = (from: string | null, to: string) =>
  from === null ? 0 : (Date.parse(to) - Date.parse(from)) / 86_400_000
