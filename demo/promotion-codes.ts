import { addPromotionCode } from '#features/promotion-codes/server/promotion-codes.ts'
import { userAuthor } from '../server/platform/author.ts'
import type { Transaction } from '../server/platform/database/pool.ts'
import type { Harbor, Story } from './story.ts'

const added = [
  { partner: 'jane', days: 240, code: 'JANE20' },
  { partner: 'marcus-o', days: 180, code: 'MARCUS10' },
  { partner: 'jane', days: 45, code: 'DENTAL' },
]

/** Plans the promotion codes of partners. */
export function planPromotionCodes({ course, before }: Story, { account, owner, partners }: Harbor) {
  for (const { partner, days, code } of added)
    course.at(before(days), async (tx) => {
      await addPromotionCode(tx, userAuthor(owner), account, partners.get(partner)!, { code })
    })
}

/** Returns the newest code of the partner who referred a customer; null if there is none yet. */
export async function codeFor(tx: Transaction, { id: accountId }: Harbor, leadId: string): Promise<string | null> {
  const found = await tx.maybe<{ code: string }>`
    select c.code from leads l join promotion_codes c on c.account_id = l.account_id and c.partner_id = l.partner_id
    where l.account_id = ${accountId} and l.id = ${leadId} order by c.created_at desc, c.id desc limit 1`
  return found?.code ?? null
}
