import type { Author } from '#server/platform/author.ts'
import { asUuid } from '#server/platform/database/ids.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { sql } from '#server/platform/database/sql.ts'
import { notFound, refusal } from '#server/platform/refusal.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { lockUnlessErased } from '#server/program/partner-directory/erased-partner.ts'
import { type Asking, sendQuestion } from '#server/program/questions/ask.ts'
import type { ClaimWithCandidates } from '../contract.ts'
import { claimInWords } from '../mail/claim-made.ts'
import { claimMailPhrases } from '../mail/text.ts'
import { lockOpenClaim } from './decide-claim.ts'
import { claimsForMail } from './open-claims.ts'
import { claimWithCandidates } from './present-claim.ts'
import { claimById, isActivePartner } from './queries.ts'

/** Open claims, about which their partners are asked. */
export const askedOfClaims: Asking = {
  subject: 'claim',
  table: sql`claims`,
  isOpen: () => sql`(c.state = 'open')`,
  describe: async (db, accountId, ids) =>
    new Map(
      (await claimsForMail(db, accountId, ids)).map((claim) => [
        claim.id,
        () => claimMailPhrases.yourClaim({ claim: claimInWords(claim) }),
      ]),
    ),
}

/**
 * Mails the partner of an open claim a question; the same one again is not asked twice.
 * Refuses: `not_found`; `invalid_state` for a decided claim, for another question, and if the partner can't read it;
 * `erased`.
 */
export async function requestClaimAnswer(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  id: string,
  text: string,
): Promise<ClaimWithCandidates> {
  const accountId = account.id
  const partnerId = (await claimById(tx, accountId, asUuid(id)))?.partnerId
  if (!partnerId) throw notFound()
  await lockUnlessErased(tx, accountId, partnerId)
  const claim = await lockOpenClaim(tx, accountId, asUuid(id))
  if (claim.question !== text) {
    if (claim.askedAt !== null) throw refusal('claim_question_asked')
    if (!(await isActivePartner(tx, accountId, partnerId))) throw refusal('claim_partner_inactive')
    await sendQuestion(tx, by, askedOfClaims, { accountId, id: claim.id, partnerId }, text)
  }
  return claimWithCandidates(tx, account, id)
}
