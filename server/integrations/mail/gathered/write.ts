import type { MailKind } from '#contract/mail.ts'
import type { Services } from '../../../platform/services.ts'
import { factsOf } from '../../../program/access/account-facts.ts'
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

/** The kinds of mails that tell what was gathered. */
export const gatheredKinds = Object.keys(composers) as GatheredKind[]

/**
 * The mail of this id: to whom it goes and what it says. Null where its account is disabled, nobody reads it any more or
 * what it would tell of has passed.
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
  const account = (await factsOf(db, [accountId])).get(accountId)
  const owner = await findOwner(db, accountId)
  const recipient = partnerId ? await findPartner(db, partnerId) : owner
  if (!account || account.disabledAt || !recipient) return null
  const compose = composers[kind] as Composer<Kind>
  const data = await compose({ db, appUrl, secrets, account, partnerId, news })
  if (!data) return null
  return {
    to: recipient.email,
    userId: recipient.userId,
    // who answers a mail about their program means its owner
    replyTo: partnerId ? owner?.email : null,
    letter: written(kind, data),
  }
}
