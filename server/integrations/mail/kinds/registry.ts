import type { MailKind } from '#contract/mail-kinds.ts'
import { mergeParts } from '#contract/merge-parts.ts'
import * as features from '#features/index.server.ts'
import type { Mail, TestOfText } from '../mail.ts'
import { accessChangedMail } from './access-changed.ts'
import { agreementPublished } from './agreement-published.ts'
import { applicationConfirm } from './application-confirm.ts'
import { applicationKnown } from './application-known.ts'
import { applicationReceived } from './application-received.ts'
import { applicationRejected } from './application-rejected.ts'
import { approvalsLoosenedMail } from './approvals-loosened.ts'
import { backupFailed } from './backup-failed.ts'
import { goalReached } from './goal-reached.ts'
import { hostAttention } from './host-attention.ts'
import { invitation } from './invitation.ts'
import { invoiceIssued } from './invoice-issued.ts'
import { monthlyStatement } from './monthly-statement.ts'
import { newKey } from './new-key.ts'
import { newLead } from './new-lead.ts'
import { ownerChangedMail } from './owner-changed.ts'
import { partnerQuestion } from './partner-question.ts'
import { passwordChangedMail } from './password-changed.ts'
import { passwordReset } from './password-reset.ts'
import { payday } from './payday.ts'
import { paymentUnclaimedMail } from './payment-unclaimed.ts'
import { payoutApproved } from './payout-approved.ts'
import { payoutAttention } from './payout-attention.ts'
import { payoutBlocked } from './payout-blocked.ts'
import { payoutDetailsReminder } from './payout-details-reminder.ts'
import { payoutFailed } from './payout-failed.ts'
import { payoutReminder } from './payout-reminder.ts'
import { payoutSent } from './payout-sent.ts'
import { payoutSettings } from './payout-settings.ts'
import { payoutsPausedMail } from './payouts-paused.ts'
import { personErasedMail } from './person-erased.ts'
import { protectionEnding } from './protection-ending.ts'
import { providerAttention } from './provider-attention.ts'
import { recoveryCodeUsedMail } from './recovery-code-used.ts'
import { refund } from './refund.ts'
import { saleCredited } from './sale-credited.ts'
import { secondFactorChangedMail } from './second-factor-changed.ts'
import { seriesUnsureMail } from './series-unsure.ts'
import { sessionEnded } from './session-ended.ts'
import { singleSignOnMail } from './single-sign-on.ts'
import { taxFormNeeded } from './tax-form-needed.ts'
import { termsChanged } from './terms-changed.ts'
import { test } from './test.ts'
import { webhookFailingMail } from './webhook-failing.ts'
import { webhookTurnedOffMail } from './webhook-turned-off.ts'
import { weeklySummary } from './weekly-summary.ts'

const declared = {
  invitation,
  'password-reset': passwordReset,
  'password-changed': passwordChangedMail,
  'second-factor-changed': secondFactorChangedMail,
  'recovery-code-used': recoveryCodeUsedMail,
  'single-sign-on': singleSignOnMail,
  'session-ended': sessionEnded,
  'new-key': newKey,
  'owner-changed': ownerChangedMail,
  'access-changed': accessChangedMail,
  'approvals-loosened': approvalsLoosenedMail,
  'person-erased': personErasedMail,
  'payout-settings': payoutSettings,
  test,
  'application-confirm': applicationConfirm,
  'application-known': applicationKnown,
  'application-rejected': applicationRejected,
  'application-received': applicationReceived,
  'agreement-published': agreementPublished,
  'partner-question': partnerQuestion,
  'new-lead': newLead,
  'protection-ending': protectionEnding,
  ...mergeParts(features, 'mails'),
  'terms-changed': termsChanged,
  'goal-reached': goalReached,
  'sale-credited': saleCredited,
  refund,
  'payout-approved': payoutApproved,
  'payout-sent': payoutSent,
  'invoice-issued': invoiceIssued,
  'payment-unclaimed': paymentUnclaimedMail,
  'payout-failed': payoutFailed,
  'payout-blocked': payoutBlocked,
  'payout-attention': payoutAttention,
  payday,
  'payouts-paused': payoutsPausedMail,
  'series-unsure': seriesUnsureMail,
  'payout-reminder': payoutReminder,
  'payout-details-reminder': payoutDetailsReminder,
  'tax-form-needed': taxFormNeeded,
  'webhook-failing': webhookFailingMail,
  'webhook-turned-off': webhookTurnedOffMail,
  'provider-attention': providerAttention,
  'host-attention': hostAttention,
  'backup-failed': backupFailed,
  'weekly-summary': weeklySummary,
  'monthly-statement': monthlyStatement,
} satisfies Record<MailKind, unknown>

/** Every kind of mail. */
export const mails: Record<MailKind, Mail> = declared

/** The job of a mail. */
export type MailJob = {
  [Kind in MailKind]: { kind: Kind } & Parameters<(typeof declared)[Kind]['read']>[1]
}[MailKind] & { reader?: string; test?: TestOfText }
