import type { BulkAction, BulkActionKind } from '#contract/bulk-actions.ts'
import { number, plural } from './plural.ts'

type Counted = { count: number }

/** The words of actions on many partners, leads or payouts. */
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
    'mark-payouts-paid': 'Marking payouts as paid',
  } satisfies Record<BulkActionKind, string>,
  /** Returns a sentence for each kind of result. */
  done({ action, done, links, unsent }: Pick<BulkAction, 'action' | 'done' | 'links' | 'unsent'>): string[] {
    const sent = done - links - unsent
    const told = action === 'invite-partners' ? invitations : action === 'remind-partners' ? reminders : others[action]
    return [
      ...(sent > 0 ? [told({ count: sent })] : []),
      ...(links > 0 ? [newLinks({ count: links })] : []),
      ...(unsent > 0 ? [kept[action === 'invite-partners' ? 'invitations' : 'reminders']({ count: unsent })] : []),
    ]
  },
  refused: {
    partners: ({ count }: Counted) =>
      plural(count, `${number(count)} partner was not changed`, `${number(count)} partners were not changed`),
    leads: ({ count }: Counted) =>
      plural(count, `${number(count)} lead was not changed`, `${number(count)} leads were not changed`),
    payouts: ({ count }: Counted) =>
      plural(count, `${number(count)} payout was not changed`, `${number(count)} payouts were not changed`),
    reminders: ({ count }: Counted) => `${number(count)} couldn’t be completed`,
  },
  download: 'Download refusals',
  more: ({ count }: Counted) => `and ${number(count)} more`,
}

const invitations = ({ count }: Counted) =>
  plural(count, `${number(count)} invitation sent`, `${number(count)} invitations sent`)
const reminders = ({ count }: Counted) =>
  plural(count, `${number(count)} partner reminded`, `${number(count)} partners reminded`)
const newLinks = ({ count }: Counted) =>
  plural(
    count,
    `${number(count)} new invitation link created. Copy it from the partner’s page.`,
    `${number(count)} new invitation links created. Copy them from the partners’ pages.`,
  )

const kept = {
  invitations: ({ count }: Counted) =>
    plural(
      count,
      `Email isn’t set up on this server, so ${number(count)} invitation wasn’t sent.`,
      `Email isn’t set up on this server, so ${number(count)} invitations weren’t sent.`,
    ),
  reminders: ({ count }: Counted) =>
    plural(
      count,
      'Email isn’t set up on this server, so the reminder wasn’t sent.',
      `Email isn’t set up on this server, so ${number(count)} reminders weren’t sent.`,
    ),
}

const others = {
  'suspend-partners': ({ count }: Counted) =>
    plural(count, `${number(count)} partner suspended`, `${number(count)} partners suspended`),
  'activate-partners': ({ count }: Counted) =>
    plural(count, `${number(count)} partner restored`, `${number(count)} partners restored`),
  'retry-payouts': ({ count }: Counted) =>
    plural(count, `Retrying ${number(count)} payout`, `Retrying ${number(count)} payouts`),
  'move-partners': ({ count }: Counted) =>
    plural(count, `${number(count)} partner moved`, `${number(count)} partners moved`),
  'change-partner-terms': ({ count }: Counted) =>
    plural(count, `Rates of ${number(count)} partner changed`, `Rates of ${number(count)} partners changed`),
  'change-lead-status': ({ count }: Counted) =>
    plural(count, `Status of ${number(count)} lead changed`, `Status of ${number(count)} leads changed`),
  'reassign-leads': ({ count }: Counted) =>
    plural(count, `${number(count)} lead reassigned`, `${number(count)} leads reassigned`),
  'add-lead-note': ({ count }: Counted) =>
    plural(count, `Note added to ${number(count)} lead`, `Note added to ${number(count)} leads`),
  'mark-payouts-paid': ({ count }: Counted) =>
    plural(count, `${number(count)} payout marked as paid`, `${number(count)} payouts marked as paid`),
}
