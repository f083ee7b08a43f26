import {
  type Changes,
  type EventObject,
  type PublicEvent,
  publicEvents,
  type RecordedEvent,
  recordedEvents,
} from '#contract/events.ts'
import { type By, system } from '../by.ts'
import { NIL, newId } from '../database/ids.ts'
import type { Transaction } from '../database/pool.ts'
import { type Sql, sql } from '../database/sql.ts'

/** The channel on which a relay hears that there is something to do. */
export const EVENTS = 'events'

/** A line of its subject's timeline. */
export type Line = {
  type: 'lead' | 'status' | 'note' | 'reassigned' | 'duplicate'
  text: string
  /** The partner reads it too. */
  shared: boolean
}

/** Something that happened to an account's object, as other systems are told of it. */
export type Happening<T extends PublicEvent = PublicEvent> = {
  by: By
  accountId: string
  type: T
  /** The object it happened to. */
  id: string
  /** As it is now; of what is deleted, as it was. */
  object: EventObject<T>
  changes?: Changes
  lines?: Line[]
}

/**
 * Tells what happened, in the change's own transaction: it is told exactly if the change commits. The activity, the
 * timelines, mails and webhooks read what stands here, and are told nothing beside it.
 */
export const happened = <T extends PublicEvent>(
  tx: Transaction,
  by: By,
  accountId: string,
  type: T,
  what: Omit<Happening<T>, 'by' | 'accountId' | 'type'>,
) => allHappened(tx, [{ by, accountId, type, ...what }])

/** As above, of many, in one statement. */
export const allHappened = <T extends PublicEvent>(tx: Transaction, happenings: Happening<T>[]) =>
  write(
    tx,
    happenings.map(({ by, accountId, type, id, object, changes, lines }) => ({
      by,
      accountId,
      type,
      kind: 'public',
      audited: by.type === 'user' ? !type.startsWith('commission.') : !/^(lead|sale|commission)\./.test(type),
      subject: { type: type.split('.')[0]!, id },
      // what the schema does not name does not leave
      data: { object: publicEvents[type].parse(object), ...(changes && { changes }), ...(lines?.length && { lines }) },
    })),
  )

/** Keeps in the activity who did what, where nobody beyond the account and the install is told. No secrets in `changes`. */
export const recorded = (
  tx: Transaction,
  by: By,
  accountId: string | null,
  type: RecordedEvent,
  { id, changes = {} }: { id: string | null; changes?: Changes },
) => write(tx, [recordedOf(by, accountId, type, id, { changes })])

/** As above, of many things, in one statement. */
export const allRecorded = (
  tx: Transaction,
  by: By,
  accountId: string | null,
  happenings: { type: RecordedEvent; id: string; changes?: Changes }[],
) =>
  write(
    tx,
    happenings.map(({ type, id, changes = {} }) => recordedOf(by, accountId, type, id, { changes })),
  )

/** Lines of a timeline for what happened to something else. */
export const noted = (
  tx: Transaction,
  by: By,
  accountId: string,
  type: RecordedEvent,
  { id, lines }: { id: string; lines: Line[] },
) => write(tx, [{ ...recordedOf(by, accountId, type, id, { lines }), audited: false }])

const recordedOf = (by: By, accountId: string | null, type: RecordedEvent, id: string | null, data: object): Row => ({
  by,
  accountId,
  type,
  kind: 'recorded',
  audited: true,
  subject: { type: recordedEvents[type], id },
  data,
})

/** Something only the product itself follows up, such as a mail to send: it carries ids, never addresses or secrets. */
export type Signal<Data extends object> = { type: string; data?: Data }
export const signal = <Data extends object>(type: string): Signal<Data> => ({ type })

/** Sends a signal with the change it follows from. */
export const send = <Data extends object>(
  tx: Transaction,
  accountId: string | null,
  { type }: Signal<Data>,
  data: NoInfer<Data>,
) => write(tx, [{ by: system, accountId, type, kind: 'internal', audited: false, subject: null, data }])

type Row = {
  by: By
  accountId: string | null
  type: string
  kind: 'public' | 'recorded' | 'internal'
  /** Whether the activity shows it. Own systems and providers bring leads and sales by the thousand: these it leaves out. */
  audited: boolean
  subject: { type: string; id: string | null } | null
  data: object
}

const columns = sql`id, account_id, at, type, kind, audited, actor_type, actor_id, network, request_id, subject_type,
  subject_id`

/** True of what people are shown: of rows of events and of those that become such. */
export const isShown = (event: Sql) =>
  sql`(${event}.audited or ${event}.kind = 'recorded' or ${event}.subject_type = 'lead')`

/** Events that people are shown stay, without their objects; relayed ones pass, with them. */
async function write(tx: Transaction, rows: Row[]): Promise<void> {
  if (rows.length === 0) return
  const given = rows.map(({ accountId, type, kind, audited, by, subject, data }) => ({
    ...{ id: newId(), account_id: accountId ?? NIL, type, kind, audited, data },
    ...{ actor_type: by.type, actor_id: by.id, network: by.from?.network, request_id: by.from?.requestId },
    ...{ subject_type: subject?.type, subject_id: subject?.id },
  }))
  await tx.run`
    with given as (
      select e.id, e.account_id, ${tx.now}::timestamptz as at, e.type, e.kind, e.audited, e.actor_type, e.actor_id,
        e.network, e.request_id, e.subject_type, e.subject_id, e.data
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as e (id uuid, account_id uuid, type text, kind text,
        audited boolean, actor_type text, actor_id uuid, network text, request_id text, subject_type text,
        subject_id uuid, data jsonb)
    ), shown as (
      insert into events (${columns}, data) select ${columns}, data - 'object' from given g
      where ${isShown(sql`g`)}
    ), passing as (
      insert into passing_events (${columns}, data) select ${columns}, data from given where kind <> 'recorded'
    )
    insert into event_relays (event_id) select id from given where kind <> 'recorded' order by id`
  if (rows.some(({ kind }) => kind !== 'recorded')) tx.afterCommit(() => tx.database.notify(EVENTS))
}
