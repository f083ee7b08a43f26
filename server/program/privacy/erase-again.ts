import { system } from '../../platform/author.ts'
import type { Erased } from '../../platform/backups/erased-list.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { type AccountFacts, getAccountFacts } from '../access/account-facts.ts'
import { erasePartnerPeople, eraseUserAgain } from '../auth/erase-users.ts'
import { emptyLeads, lockPerson } from '../leads/erase-lead.ts'
import { displayName } from '../partner-directory/partner-names.ts'
import { archivePartner } from '../partners/archive-partner.ts'
import { emptyPartner, lockForErasure } from '../partners/erase-partner.ts'
import { emptyPayee, recordsUntil } from '../payouts/payees.ts'
import { saveMatchedRules } from '../sales/keep-rules.ts'
import { buildSearch, type Erasing, listPayerEmails, recordErasure, searchOfPartner, startErasure } from './erase.ts'
import { emptyCopies, type Means } from './run-erasure.ts'
import { tracesOfLeads } from './steps.ts'

/** Results of `eraseListed`: counts, and the ids of users who stay because an account has no other owner. */
export type ErasedAgain = { again: number; already: number; absent: number; needed: string[] }

/** Erases everyone listed again, with every copy, one after the other; in one transaction if it is given one. */
export async function eraseListed(means: Means, listed: Erased[]): Promise<ErasedAgain> {
  const result: ErasedAgain = { again: 0, already: 0, absent: 0, needed: [] }
  // users last: most were emptied with their partner
  for (const one of listed.toSorted((a, b) => Number(a.type === 'user') - Number(b.type === 'user'))) {
    const { outcome, job } = await transaction(means.db, (tx) => eraseAgain(tx, means, one))
    if (job && outcome !== 'already') await emptyCopies(means, job)
    if (outcome === 'needed') result.needed.push(one.subjectId)
    else result[outcome]++
  }
  return result
}

/**
 * `already`: they are erased in this database; `absent`: it has no such account or person; `needed`: a former member who
 * is an account's only owner in it. `job`: the copies to empty.
 */
type Again = {
  outcome: 'again' | 'already' | 'absent' | 'needed'
  job?: { accountId: string; erasureIds: string[] }
}

/**
 * Erases a person of a list again in a restored older database. Keeps the erasure's id, and doesn't require a partner
 * to be archived or settled: open money remains to be settled. Owners aren't notified again.
 */
async function eraseAgain(tx: Transaction, install: Erasing, listed: Erased): Promise<Again> {
  if (listed.type === 'user') return { outcome: await eraseUserAgain(tx, listed.subjectId) }
  const accountId = listed.accountId ?? (await accountWith(tx, listed))
  const account = accountId && (await getAccountFacts(tx, [accountId])).get(accountId)
  if (!account) return { outcome: 'absent' }
  const known = await tx.maybe<{ id: string; done: boolean }>`
    select id, done from erasures
    where account_id = ${account.id} and (id = ${listed.id} or subject_id = ${listed.subjectId}) limit 1`
  if (known)
    return { outcome: known.done ? 'already' : 'again', job: { accountId: account.id, erasureIds: [known.id] } }
  const outcome = await (listed.type === 'lead' ? leadAgain : partnerAgain)(tx, install, account, listed)
  // continues with the copies if this process dies
  await startErasure(tx, install, account.id, [listed.id])
  return { outcome, job: { accountId: account.id, erasureIds: [listed.id] } }
}

/** A downloaded list doesn't name the account. */
async function accountWith(tx: Transaction, { type, subjectId }: Erased) {
  const found =
    type === 'lead'
      ? await tx.maybe<{ accountId: string }>`select account_id from leads where id = ${subjectId}`
      : await tx.maybe<{ accountId: string }>`select account_id from partners where id = ${subjectId}`
  return found?.accountId
}

async function leadAgain(tx: Transaction, install: Erasing, account: AccountFacts, listed: Erased) {
  const { id: erasureId, at, subjectId: id, subjectIds, by } = listed
  // this database may have others that were the same person then
  const people = []
  for (const one of new Set([id, ...subjectIds])) people.push(...(await lockPerson(tx, account.id, one)))
  const fresh = [...new Map(people.map((lead) => [lead.id, lead])).values()].filter((lead) => lead.erasedAt === null)
  const ids = [...new Set([id, ...subjectIds, ...fresh.map((lead) => lead.id)])]
  const search = buildSearch(fresh, await listPayerEmails(tx, account.id, ids))
  await saveMatchedRules(tx, account.id, (await tracesOfLeads(tx, account.id, ids, search)).saleIds)
  if (fresh.length > 0) await emptyLeads(tx, system, account, fresh)
  const subject = { type: 'lead' as const, id, ids, recordsUntil: null, counts: { leads: fresh.length } }
  await recordErasure(tx, install, account.id, { ...subject, erasureId, at, by, search })
  return people.length > 0 ? 'again' : 'absent'
}

/** Payouts that are or may be paid outside: their records stay. */
const RECORDS = ['paid', 'approved', 'processing', 'awaiting-funding', 'sent', 'failed']

async function partnerAgain(tx: Transaction, install: Erasing, account: AccountFacts, listed: Erased) {
  const { id: erasureId, at, subjectId: id, by } = listed
  const partner = await lockForErasure(tx, account.id, id)
  const subject = { type: 'partner' as const, id, ids: [id], erasureId, at, by }
  if (!partner) {
    const none = { recordsUntil: null, counts: {}, search: { values: [], ids: [], names: [] } }
    await recordErasure(tx, install, account.id, { ...subject, ...none })
    return 'absent'
  }
  if (partner.storedState !== 'archived')
    await archivePartner(tx, system, account, id, { subPartners: 'keep', balance: 'pay-out' })
  const search = await searchOfPartner(tx, account.id, partner)
  const until = await recordsUntil(tx, account, id, RECORDS)
  const users = await erasePartnerPeople(tx, system, account.id, id)
  await emptyPartner(tx, system, account, id)
  await emptyPayee(tx, install.secrets, account.id, { id, name: displayName(partner) }, RECORDS)
  await recordErasure(tx, install, account.id, {
    ...subject,
    recordsUntil: until,
    counts: { partners: 1, users },
    search,
  })
  return 'again'
}
