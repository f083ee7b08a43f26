import { listParts } from '#contract/merge-parts.ts'
import * as features from '#features/index.server.ts'
import type { Feature } from './feature.ts'
import { deleteDeliveriesBefore, emptyPayloadsBefore } from './integrations/incoming-webhooks/queries.ts'
import { deleteSavedMails } from './integrations/mail/delete-saved-mails.ts'
import { emptyBodiesBefore, KEPT_BODY_DAYS } from './integrations/payment-providers/delete-old-bodies.ts'
import { inBatches } from './platform/database/in-batches.ts'
import { type Database, transaction } from './platform/database/pool.ts'
import { rawSql } from './platform/database/sql.ts'
import { deleteOldEvents, KEPT_EVENT_DAYS } from './platform/events/delete-old-events.ts'
import type { Services } from './platform/services.ts'
import { eachNightInParts } from './program/access/each-night.ts'
import { deleteOldApplications } from './program/applications/delete-old-applications.ts'
import { deleteOldClicks, KEPT_CLICK_DAYS } from './program/clicks/delete-old-clicks.ts'
import { deleteSubmissionsBefore } from './program/leads/forget-submissions.ts'
import { FORMER_EMAIL_MS } from './program/partners/former-emails.ts'
import { emptyOldRecords } from './program/payouts/payees.ts'
import { eraseIdleLeads } from './program/privacy/erase-idle.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

type Deletion = (services: Services) => Promise<unknown>

/** Deletes what is older than this many milliseconds. */
const after =
  (ms: number, remove: (db: Database, before: Date) => Promise<unknown>): Deletion =>
  ({ db }) =>
    remove(db, new Date(db.now.getTime() - ms))

/** Deletes rows of a table that is on one machine, in batches, this many milliseconds after the time `at`. */
const rowsSince = (table: string, at: string, ms: number) =>
  after(ms, (db, before) =>
    inBatches(
      5000,
      (limit) => db.run`
        delete from ${rawSql(table)} where ctid = any(array(
          select ctid from ${rawSql(table)} where ${rawSql(at)} < ${before} order by ${rawSql(at)} limit ${limit}))`,
    ),
  )

/** Deletes a table's rows of this age in batches, so that other work does not wait. */
const rowsAfter = (table: keyof typeof keptDays) =>
  after(keptDays[table] * DAY, (db, before) =>
    inBatches(
      5000,
      (limit) => db.run`
        delete from ${rawSql(table)} where id = any(array(
          select id from ${rawSql(table)} where created_at < ${before} order by created_at limit ${limit}))`,
    ),
  )

/** Days for which rows are kept, or the bodies of provider events, in every account. docs/concepts/retention.md has them. */
export const keptDays = {
  bulk_actions: 30,
  clicks: KEPT_CLICK_DAYS,
  // a day longer than they are needed, since a mail may be late
  former_emails: FORMER_EMAIL_MS / DAY + 1,
  idempotency_keys: 1,
  import_rows: 30,
  incoming_deliveries: 30,
  lead_submissions: 400,
  // compared with clicks
  member_visits: KEPT_CLICK_DAYS,
  mail_news: 90,
  mails: 90,
  outgoing_deliveries: 90,
  passing_events: KEPT_EVENT_DAYS,
  provider_events: KEPT_BODY_DAYS,
  refused_sign_ins: 90,
  sessions: 30,
} as const

/**
 * The account's own setting that shortens the retention of a table's rows; that of records of payments follows
 * `Personal`.
 */
export const keptByAccount = {
  incoming_deliveries: 'rawDataDays',
  lead_submissions: 'rawDataDays',
  leads: 'idleLeadMonths',
  provider_events: 'rawDataDays',
} as const

/** Retention of data: its time and its deletion. Clicks and events are dropped by month, in their rooms. */
export const retention = {
  idempotencyKeys: rowsSince('idempotency_keys', 'created_at', keptDays.idempotency_keys * DAY),
  sessions: rowsSince('sessions', 'coalesce(ended_at, expires_at)', keptDays.sessions * DAY),
  refusedSignIns: rowsSince('refused_sign_ins', 'at', keptDays.refused_sign_ins * DAY),
  signInAttempts: rowsSince('sign_in_attempts', 'forget_at', 0),
  signInChallenges: rowsSince('sign_in_challenges', 'expires_at', 0),
  passwordResets: after(
    0,
    (db, now) => db.run`delete from password_resets where expires_at < ${now} or used_at is not null`,
  ),
  formerEmails: after(
    keptDays.former_emails * DAY,
    (db, before) => db.run`delete from former_emails where until < ${before}`,
  ),
  earlyEntries: after(0, (db, now) =>
    inBatches(
      5000,
      (limit) => db.run`
        delete from early_entries where (account_id, partner_id, entry_id, user_id) in (
          select account_id, partner_id, entry_id, user_id from early_entries
          where until < ${now} order by until limit ${limit})`,
    ),
  ),
  leadSubmissions: rowsAfter('lead_submissions'),
  memberVisits: after(keptDays.member_visits * DAY, (db, before) =>
    inBatches(
      5000,
      (limit) => db.run`
        delete from member_visits where (account_id, partner_id, visitor_hash, user_id) in (
          select account_id, partner_id, visitor_hash, user_id from member_visits
          where day < ${before.toISOString().slice(0, 10)} order by day limit ${limit})`,
    ),
  ),
  mailCounts: rowsSince('mail_counts', 'forget_at', 0),
  mails: rowsAfter('mails'),
  mailNews: rowsAfter('mail_news'),
  savedMails: deleteSavedMails,
  outgoingDeliveries: rowsAfter('outgoing_deliveries'),
  deletedWebhooks,
  incomingDeliveries: after(keptDays.incoming_deliveries * DAY, (db, before) =>
    inBatches(2000, (limit) => transaction(db, (tx) => deleteDeliveriesBefore(tx, before, limit))),
  ),
  importRows: after(keptDays.import_rows * DAY, (db, before) =>
    inBatches(
      1000,
      (limit) => db.run`
        delete from import_rows where (import_id, row) in (
          select r.import_id, r.row from imports i join import_rows r on r.account_id = i.account_id and r.import_id = i.id
          where i.finished_at < ${before} limit ${limit})`,
    ),
  ),
  bulkActions: rowsAfter('bulk_actions'),
  providerConsents: after(DAY, (db, before) => db.run`delete from provider_consents where expires_at < ${before}`),
  providerEventBodies: after(keptDays.provider_events * DAY, (db, before) =>
    inBatches(
      2000,
      (limit) => db.run`
        update provider_events set body = null where id = any(array(
          select id from provider_events
          where body is not null and state in ('processed', 'ignored') and received_at < ${before}
          order by received_at limit ${limit}))`,
    ),
  ),
  clicks: ({ db }: Services) => deleteOldClicks(db),
  events: deleteOldEvents,
} satisfies Record<string, Deletion>

/** Deletes webhooks after their last delivery. */
async function deletedWebhooks({ db }: Services) {
  const webhooks = await db.many<{ id: string; accountId: string }>`
    select id, account_id from outgoing_webhooks where deleted_at is not null order by id`
  for (const { id, accountId } of webhooks) {
    await inBatches(
      5000,
      (limit) => db.run`
        delete from outgoing_deliveries where account_id = ${accountId} and id = any(array(
          select id from outgoing_deliveries where account_id = ${accountId} and webhook_id = ${id} limit ${limit}))`,
    )
    await db.run`delete from outgoing_webhooks where id = ${id}`
  }
}

/** Deletes what is too old. A failure stops no other deletion, and is thrown at the end. */
export async function deleteOld(services: Services): Promise<void> {
  const failures: unknown[] = []
  for (const remove of [...Object.values(retention), ...listParts(features, 'retention')])
    await remove(services).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, 'not everything that is too old could be deleted')
}

type OfAccount = NonNullable<Feature['accountRetention']>[number]

/** Deletes or empties raw data of an account that keeps it for fewer days than `kept`. */
const rawData =
  (kept: number, remove: (db: Database, accountId: string, before: Date) => Promise<unknown>): OfAccount =>
  async ({ id, rawDataDays }, { db }) =>
    rawDataDays < kept && (await remove(db, id, new Date(db.now.getTime() - rawDataDays * DAY)))

/**
 * An account's own retention: data it keeps for less time than the default, and people it keeps for a limited time. A
 * shorter time takes effect the next night, so that a mistake can be corrected on the same day.
 */
export const accountRetention = {
  leadSubmissions: rawData(keptDays.lead_submissions, deleteSubmissionsBefore),
  incomingDeliveries: rawData(keptDays.incoming_deliveries, emptyPayloadsBefore),
  providerEventBodies: rawData(keptDays.provider_events, emptyBodiesBefore),
  payeeRecords: emptyOldRecords,
  idleLeads: eraseIdleLeads,
  applications: deleteOldApplications,
} satisfies Record<string, OfAccount>

/** Deletes expired data in each account's night, also in disabled accounts. */
export const deleteByAccount = eachNightInParts(
  'retention',
  3,
  async (account, services) => {
    const failures: unknown[] = []
    for (const remove of [...Object.values(accountRetention), ...listParts(features, 'accountRetention')])
      await remove(account, services).catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw new AggregateError(failures, 'not everything that is too old could be deleted')
  },
  // each account’s night is claimed, so that one with a new setting does not begin by day
  { whileDisabled: true },
)
