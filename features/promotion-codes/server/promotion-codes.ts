import type { ListQuery } from '#contract/values.ts'
import { type Author, diffFields, system } from '#server/platform/author.ts'
import { newId } from '#server/platform/database/ids.ts'
import type { Queryable, Transaction } from '#server/platform/database/pool.ts'
import { emitEvent, recordActivity } from '#server/platform/events/emit-event.ts'
import { notFound, wrongField } from '#server/platform/refusal.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { findPartner } from '#server/program/partner-directory/find-partner.ts'
import { partnerNames } from '#server/program/partner-directory/partner-names.ts'
import { refuseErasedPartner } from '#server/program/partners/erase-partner.ts'
import type { AssignedPromotionCode, ListedPromotionCode, NewPromotionCode, PromotionCode } from '../contract.ts'
import {
  allPromotionCodesPage,
  claimPromotionCode,
  codesAmong,
  deletePendingCode,
  deletePromotionCodeRow,
  promotionCodeById,
  promotionCodesPage,
  retireMadeCode,
  setMade,
} from './queries.ts'

export const listPromotionCodes = (db: Queryable, accountId: string, partnerId: string, query: ListQuery) =>
  promotionCodesPage(db, accountId, partnerId, query)

type AllQuery = ListQuery & {
  partnerId?: string[] | undefined
  source?: string[] | undefined
  state?: string[] | undefined
}

/** Lists the codes of all partners with the sales that used them. */
export async function listAllPromotionCodes(db: Queryable, account: AccountFacts, query: AllQuery) {
  const { items, ...rest } = await allPromotionCodesPage(db, account.id, query)
  const names = await partnerNames(
    db,
    [account.id],
    items.map(({ partnerId }) => partnerId),
  )
  const { defaultCurrency: currency } = account
  const named = ({ partnerId, ...row }: (typeof items)[number]): ListedPromotionCode => ({
    ...row,
    partnerId,
    partnerName: names.get(partnerId)!,
    currency,
  })
  return { ...rest, items: items.map(named) }
}

/** Adds a code to the partner named in the body, like `addPromotionCode`. */
export async function assignPromotionCode(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  { partnerId, code }: AssignedPromotionCode,
): Promise<PromotionCode> {
  const partner = await findPartner(tx, account.id, partnerId)
  if (!partner) throw wrongField('partnerId', 'unknown_partner')
  await refuseErasedPartner(tx, account.id, partner.id)
  return addPromotionCode(tx, by, account, partner.id, { code })
}

/**
 * Assigns a code to a partner, who gets its future payers. Refuses: a code that a partner already has, in any letter
 * case.
 */
export async function addPromotionCode(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  partnerId: string,
  { code }: NewPromotionCode,
): Promise<PromotionCode> {
  const row = { id: newId(), partnerId, code, createdAt: tx.now.toISOString() }
  const holder = await claimPromotionCode(tx, account.id, row)
  if (holder.id !== row.id) {
    if (holder.partnerId === partnerId) throw wrongField('code', 'promotion_code_listed')
    const names = await partnerNames(tx, [account.id], [holder.partnerId])
    throw wrongField('code', 'promotion_code_taken', { partner: names.get(holder.partnerId)! })
  }
  const changes = diffFields({}, { promotionCode: code })
  await recordActivity(tx, by, account.id, 'partner.promotion-code-added', { id: partnerId, changes })
  await emitEvent(tx, by, account.id, 'promotion-code.added', { id: row.id, object: row })
  return row
}

/** Returns those of these codes, in lower case, that a partner of the account has. */
export const promotionCodesAmong = async (db: Queryable, accountId: string, codes: string[]): Promise<Set<string>> =>
  new Set((await codesAmong(db, accountId, codes)).map(({ code }) => code))

/** Returns a code of the account. */
export const findPromotionCode = promotionCodeById

/**
 * Reserves a code for a partner in place of the one reserved under this id, to be made at a provider; false if some
 * partner has it.
 */
export async function reservePromotionCode(
  tx: Transaction,
  accountId: string,
  { id, partnerId, code }: { id: string; partnerId: string; code: string },
): Promise<boolean> {
  await deletePendingCode(tx, accountId, id)
  const row = { id, partnerId, code, createdAt: tx.now.toISOString() }
  return (await claimPromotionCode(tx, accountId, row, true)).id === id
}

/** Activates a reserved code once it exists at its provider, and notifies other systems. */
export async function creditMadeCode(tx: Transaction, accountId: string, id: string): Promise<void> {
  const row = await setMade(tx, accountId, id)
  if (!row) return
  const changes = diffFields({}, { promotionCode: row.code })
  await recordActivity(tx, system, accountId, 'partner.promotion-code-added', { id: row.partnerId, changes })
  await emitEvent(tx, system, accountId, 'promotion-code.added', { id, object: row })
}

export async function deletePromotionCode(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  partnerId: string,
  codeId: string,
): Promise<void> {
  const gone = await deletePromotionCodeRow(tx, account.id, partnerId, codeId)
  if (!gone) throw notFound()
  await retireMadeCode(tx, account.id, gone.id)
  const changes = { promotionCode: { old: gone.code, new: null } }
  await recordActivity(tx, by, account.id, 'partner.promotion-code-deleted', { id: partnerId, changes })
  await emitEvent(tx, by, account.id, 'promotion-code.removed', { id: gone.id, object: gone })
}
