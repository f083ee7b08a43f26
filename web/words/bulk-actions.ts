import type { BulkAction, BulkActionKind } from '#contract/bulk-actions.ts'
import { formatNumber, formatPlural } from '#contract/format.ts'

type Counted = { count: number }

/** The words of actions on many partners, leads, sales or payouts. */
export const bulkActionWords = {
  running: {
    'invite-partners': 'Sending invitations',
    'remind-partners': 'Reminding partners',
    'suspend-partners': 'Suspending partners',
    'activate-partners': 'Restoring partners',
    'retry-payouts': 'Retrying payouts',
    'move-partners': 'Moving partners',
    'change-partner-terms': 'Changing rates',
    'change-lead-status': 'Changing statuses',
    'reassign-leads': 'Reassigning leads',
    'add-lead-note': 'Adding notes',
    'attribute-sales': 'Attributing sales',
    'mark-payouts-paid': 'Marking payouts as paid',
    'release-cases': 'Releasing cases',
    'void-cases': 'Voiding sales',
  } satisfies Record<BulkActionKind, string>,
  /** Returns a sentence for each kind of result. */
  done({ action, done, links, unsent }: Pick<BulkAction, 'action' | 'done' | 'links' | 'unsent'>): string[] {
    const sent = done - links - unsent
    const message =
      action === 'invite-partners' ? invitations : action === 'remind-partners' ? reminders : others[action]
    return [
      ...(sent > 0 ? [message({ count: sent })] : []),
      ...(links > 0 ? [newLinks({ count: links })] : []),
      ...(unsent > 0 ? [kept[action === 'invite-partners' ? 'invitations' : 'reminders']({ count: unsent })] : []),
    ]
  },
  refused: {
    partners: ({ count }: Counted) =>
      formatPlural(
        count,
        `${formatNumber(count)} partner was not changed`,
        `${formatNumber(count)} partners were not changed`,
      ),
    leads: ({ count }: Counted) =>
      formatPlural(
        count,
        `${formatNumber(count)} lead was not changed`,
        `${formatNumber(count)} leads were not changed`,
      ),
    sales: ({ count }: Counted) =>
      formatPlural(
        count,
        `${formatNumber(count)} sale was not changed`,
        `${formatNumber(count)} sales were not changed`,
      ),
    cases: ({ count }: Counted) =>
      formatPlural(
        count,
        `${formatNumber(count)} case was not changed`,
        `${formatNumber(count)} cases were not changed`,
      ),
    payouts: ({ count }: Counted) =>
      formatPlural(
        count,
        `${formatNumber(count)} payout was not changed`,
        `${formatNumber(count)} payouts were not changed`,
      ),
    reminders: ({ count }: Counted) => `${formatNumber(count)} couldn’t be completed`,
  },
  download: 'Download refusals',
  more: ({ count }: Counted) => `and ${formatNumber(count)} more`,
}

const invitations = ({ count }: Counted) =>
  formatPlural(count, `${formatNumber(count)} invitation sent`, `${formatNumber(count)} invitations sent`)
const reminders = ({ count }: Counted) =>
  formatPlural(count, `${formatNumber(count)} partner reminded`, `${formatNumber(count)} partners reminded`)
const newLinks = ({ count }: Counted) =>
  formatPlural(
    count,
    `${formatNumber(count)} new invitation link created. Copy it from the partner’s page.`,
    `${formatNumber(count)} new invitation links created. Copy them from the partners’ pages.`,
  )

const kept = {
  invitations: ({ count }: Counted) =>
    formatPlural(
      count,
      `Email isn’t set up on this server, so ${formatNumber(count)} invitation wasn’t sent.`,
      `Email isn’t set up on this server, so ${formatNumber(count)} invitations weren’t sent.`,
    ),
  reminders: ({ count }: Counted) =>
    formatPlural(
      count,
      'Email isn’t set up on this server, so the reminder wasn’t sent.',
      `Email isn’t set up on this server, so ${formatNumber(count)} reminders weren’t sent.`,
    ),
}

const others = {
  'suspend-partners': ({ count }: Counted) =>
    formatPlural(count, `${formatNumber(count)} partner suspended`, `${formatNumber(count)} partners suspended`),
  'activate-partners': ({ count }: Counted) =>
    formatPlural(count, `${formatNumber(count)} partner restored`, `${formatNumber(count)} partners restored`),
  'retry-payouts': ({ count }: Counted) =>
    formatPlural(count, `Retrying ${formatNumber(count)} payout`, `Retrying ${formatNumber(count)} payouts`),
  'move-partners': ({ count }: Counted) =>
    formatPlural(count, `${formatNumber(count)} partner moved`, `${formatNumber(count)} partners moved`),
  'change-partner-terms': ({ count }: Counted) =>
    formatPlural(
      count,
      `Rates of ${formatNumber(count)} partner changed`,
      `Rates of ${formatNumber(count)} partners changed`,
    ),
  'change-lead-status': ({ count }: Counted) =>
    formatPlural(
      count,
      `Status of ${formatNumber(count)} lead changed`,
      `Status of ${formatNumber(count)} leads changed`,
    ),
  'reassign-leads': ({ count }: Counted) =>
    formatPlural(count, `${formatNumber(count)} lead reassigned`, `${formatNumber(count)} leads reassigned`),
  'add-lead-note': ({ count }: Counted) =>
    formatPlural(count, `Note added to ${formatNumber(count)} lead`, `Note added to ${formatNumber(count)} leads`),
  'attribute-sales': ({ count }: Counted) =>
    formatPlural(count, `${formatNumber(count)} sale attributed`, `${formatNumber(count)} sales attributed`),
  'release-cases': ({ count }: Counted) =>
    formatPlural(count, `${formatNumber(count)} case released`, `${formatNumber(count)} cases released`),
  'void-cases': ({ count }: Counted) =>
    formatPlural(count, `Sales of ${formatNumber(count)} case voided`, `Sales of ${formatNumber(count)} cases voided`),
  'mark-payouts-paid': ({ count }: Counted) =>
    formatPlural(
      count,
      `${formatNumber(count)} payout marked as paid`,
      `${formatNumber(count)} payouts marked as paid`,
    ),
}
