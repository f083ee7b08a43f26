import type { MailKind } from '#contract/mail.ts'
import type { Letter, Writer } from '../letter.ts'
import { backupFailed } from './install.ts'
import { providerAttention, webhookFailing, webhookTurnedOff } from './integrations.ts'
import { invitation } from './invitation.ts'
import { newLead, protectionEnding } from './leads.ts'
import {
  payoutApproved,
  payoutAttention,
  payoutBlocked,
  payoutDetailsReminder,
  payoutFailed,
  payoutReminder,
  payoutSent,
  payoutsPaused,
} from './payouts.ts'
import { refund, saleCredited } from './sales.ts'
import { newKey, ownerChanged, passwordChanged, passwordReset, payoutSettings, sessionEnded, test } from './security.ts'
import { monthlyStatement, weeklySummary } from './summaries.ts'

const writers = {
  invitation,
  'password-reset': passwordReset,
  'password-changed': passwordChanged,
  'session-ended': sessionEnded,
  'new-key': newKey,
  'owner-changed': ownerChanged,
  'payout-settings': payoutSettings,
  test,
  'new-lead': newLead,
  'protection-ending': protectionEnding,
  'sale-credited': saleCredited,
  refund,
  'payout-approved': payoutApproved,
  'payout-sent': payoutSent,
  'payout-failed': payoutFailed,
  'payout-blocked': payoutBlocked,
  'payout-attention': payoutAttention,
  'payouts-paused': payoutsPaused,
  'payout-reminder': payoutReminder,
  'payout-details-reminder': payoutDetailsReminder,
  'webhook-failing': webhookFailing,
  'webhook-turned-off': webhookTurnedOff,
  'provider-attention': providerAttention,
  'backup-failed': backupFailed,
  'weekly-summary': weeklySummary,
  'monthly-statement': monthlyStatement,
} satisfies Record<MailKind, unknown>

/** The data of a letter of this kind. */
export type DataOf<Kind extends MailKind> = (typeof writers)[Kind] extends Writer<infer Data> ? Data : never

const writerOf = <Kind extends MailKind>(kind: Kind) => writers[kind] as unknown as Writer<DataOf<Kind>>

export const written = <Kind extends MailKind>(kind: Kind, data: DataOf<Kind>): Letter => writerOf(kind).write(data)

/** Returns sample data of a letter of this kind, for previews and tests. */
export const sampleOf = <Kind extends MailKind>(kind: Kind): DataOf<Kind> => writerOf(kind).sample
