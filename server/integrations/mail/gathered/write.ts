import type { MailKind } from '#contract/mail.ts'
import type { Services } from '../../../platform/services.ts'
import { accountFactsOf } from '../../../program/access/account-facts.ts'
import { written } from '../letters/registry.ts'
import type { Composer } from './composer.ts'
import { composeProviderAttention } from './integrations.ts'
import { composeNewLead, composeProtectionEnding } from './leads.ts'
import { findOwner, findPartner, newsOfMail } from './news-queries.ts'
import {
  composePayoutApproved,
  composePayoutAttention,
  composePayoutBlocked,
  composePayoutFailed,
  composePayoutReminder,
  composePayoutSent,
} from './payouts.ts'
import { composeRefund, composeSaleCredited } from './sales.ts'
import { composeMonthlyStatement, composeWeeklySummary } from './summaries.ts'

const composers = {
  'new-lead': composeNewLead,
  'protection-ending': composeProtectionEnding,
  'sale-credited': composeSaleCredited,
  refund: composeRefund,
  'payout-approved': composePayoutApproved,
  'payout-sent': composePayoutSent,
  'payout-failed': composePayoutFailed,
  'payout-blocked': composePayoutBlocked,
  'payout-attention': composePayoutAttention,
  'payout-reminder': composePayoutReminder,
  'provider-attention': composeProviderAttention,
  'weekly-summary': composeWeeklySummary,
  'monthly-statement': composeMonthlyStatement,
} satisfies { [Kind in MailKind]?: Composer<Kind> }

type GatheredKind = keyof typeof composers

/** The kinds of mails with gathered news. */
export const gatheredKinds = Object.keys(composers) as GatheredKind[]

/**
 * Writes a gathered mail with its recipient. Null if its account is disabled, it has no reader any more, or its news no
 * longer apply.
 */
export async function writeGathered<Kind extends GatheredKind>(
  { db, config: { appUrl }, secrets }: Pick<Services, 'db' | 'config' | 'secrets'>,
  kind: Kind,
  mailId: string,
) {
  const news = await newsOfMail(db, mailId)
  const [first] = news
  if (!first) return null
  const { accountId, partnerId } = first
  const account = (await accountFactsOf(db, [accountId])).get(accountId)
  const owner = await findOwner(db, accountId)
  const recipient = partnerId ? await findPartner(db, partnerId) : owner
  if (!account || account.disabledAt || !recipient) return null
  const compose = composers[kind] as Composer<Kind>
  const data = await compose({ db, appUrl, secrets, account, partnerId, news })
  if (!data) return null
  return {
    to: recipient.email,
    userId: recipient.userId,
    // replies to a mail about the program go to its owner
    replyTo: partnerId ? owner?.email : null,
    letter: written(kind, data),
  }
}
