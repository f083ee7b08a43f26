import assert from 'node:assert/strict'
import { acceptClaim, refuseClaim } from '#features/claims/server/decide-claim.ts'
import { makeClaim } from '#features/claims/server/make-claim.ts'
import { transaction } from '../../server/platform/database/pool.ts'
import { Refusal } from '../../server/platform/refusal.ts'
import { readAccountFacts } from './leads.ts'
import { type Ledger, ownerAuthor } from './ledger.ts'
import { creditByHand, isActive, type ModelSale, type ModelWorld } from './returning-model.ts'

/** Why a partner's claim of a sale can't be accepted. */
function refusedFor(world: ModelWorld, sale: ModelSale, partner: number): string | null {
  const customer = world.customers[sale.customer]!
  if (sale.partner !== null && sale.partner !== partner) return 'claim_sale_of_other_partner'
  if (sale.isVoid) return 'sale_is_void'
  if (sale.partner === partner) return null
  if (customer.erased) return 'erased'
  const isOthers = customer.partner !== null && customer.partner !== partner
  if (isOthers && world.setting === 'keep-partner') return 'payer_has_other_partner'
  return customer.partner === partner || isActive(world, partner) ? null : 'claim_partner_inactive'
}

/** Lets a partner ask for a sale, and the owner accept or refuse; returns what came of it. */
export async function requestSale(
  { db, account, partnerIds, ...ledger }: Ledger,
  world: ModelWorld,
  { model, id: saleId }: { model: ModelSale; id: string },
  { partner, isAccepted }: { partner: number; isAccepted: boolean },
) {
  const by = ownerAuthor({ db, account, partnerIds, ...ledger })
  const facts = await readAccountFacts(db, account.id)
  const { id } = await transaction(db, (tx) => makeClaim(tx, by, facts, partnerIds[partner]!, { orderId: model.name }))
  if (!isAccepted) {
    await transaction(db, (tx) => refuseClaim(tx, by, facts, id, { reason: 'Not theirs' }))
    return 'refused'
  }
  const expected = refusedFor(world, model, partner)
  const answer = await transaction(db, (tx) => acceptClaim(tx, by, facts, id, { saleId })).then(
    () => null,
    (error) => {
      if (error instanceof Refusal) return error.reason
      throw error
    },
  )
  assert.equal(answer, expected, `claim of ${model.name} by ${partner}`)
  if (expected === null && model.partner === null) creditByHand(world, model, partner)
  // one that stays open would be the next one
  if (expected) await transaction(db, (tx) => refuseClaim(tx, by, facts, id, { reason: 'Not theirs' }))
  return expected ?? 'accepted'
}
