import {
  type Changes,
  type EventObject,
  keysOfChanges,
  type PublicEvent,
  publicEvents,
  type RecordedEvent,
  recordedEvents,
} from '#contract/events.ts'
import { type Author, system } from '../author.ts'
import { inAccountsSql } from '../database/by-key.ts'
import { leastIdAt, NIL, newId } from '../database/ids.ts'
import { Overtaken, type Transaction } from '../database/pool.ts'
import { type Sql, sql } from '../database/sql.ts'

/** Channel that notifies relays of new events. */
export const EVENTS = 'events'

/** A line of its subject's timeline. */
export type TimelineLine = {
  type: 'lead' | 'status' | 'note' | 'reassigned' | 'duplicate'
  text: string
  /** Also visible to the partner. */
  shared: boolean
}

/** An event of an account's object, as sent to other systems. */
export type DomainEvent<T extends PublicEvent = PublicEvent> = {
  by: Author
  accountId: string
  type: T
  /** The object's id. */
  id: string
  /** Its current state; for a deleted one its last. */
  object: EventObject<T>
  changes?: Changes
  lines?: TimelineLine[]
}

/**
 * Records an event in the change's own transaction, so that it exists only if the change commits. The activity, the
 * timelines, mails and webhooks have no other source.
 */
export const emitEvent = <T extends PublicEvent>(
  tx: Transaction,
  by: Author,
  accountId: string,
  type: T,
  what: Omit<DomainEvent<T>, 'by' | 'accountId' | 'type'>,
) => emitEvents(tx, [{ by, accountId, type, ...what }])

/** Like `happened`, for many, in one statement. */
export const emitEvents = <T extends PublicEvent>(tx: Transaction, happenings: DomainEvent<T>[]) =>
  write(
    tx,
    happenings.map(({ by, accountId, type, id, object, changes, lines }) => ({
      by,
      accountId,
      type,
      kind: 'public',
      audited:
        by.type === 'user' || by.type === 'portal'
          ? !/^(commission|promotion-code)\./.test(type)
          : !/^(lead|sale|commission|promotion-code)\./.test(type),
      subject: { type: type.split('.')[0]!, id },
      // drops fields that the schema does not have
      data: {
        object: publicEvents[type].parse(object),
        ...(changes && { changes: changesTold(type, changes) }),
        ...(lines?.length && { lines }),
      },
    })),
  )

/** Drops changes of columns that are the product's own. */
const changesTold = (type: PublicEvent, changes: Changes): Changes =>
  Object.fromEntries(Object.entries(changes).filter(([key]) => keysOfChanges.get(type)!.has(key)))

/** An event whose object is read when it is sent. */
export type EventWithoutObject<T extends PublicEvent> = Omit<DomainEvent<T>, 'object'>

/** Events written together: an import may make hundreds of thousands of commissions due at once. */
const AT_ONCE = 1000

/** Like `allHappened`, a thousand at a time, each with its object's current state, which `read` returns by id. */
export async function emitEventsWithObjects<T extends PublicEvent>(
  tx: Transaction,
  happenings: EventWithoutObject<T>[],
  read: (accountIds: string[], ids: string[]) => Promise<Map<string, EventObject<T>>>,
): Promise<void> {
  for (let at = 0; at < happenings.length; at += AT_ONCE) {
    const some = happenings.slice(at, at + AT_ONCE)
    const objects = await read(
      some.map(({ accountId }) => accountId),
      some.map(({ id }) => id),
    )
    await emitEvents(
      tx,
      some.map((one) => ({ ...one, object: objects.get(one.id)! })),
    )
  }
}

/**
 * Records an action in the activity only, without notifying other systems. `changes` must not contain secrets. `of` is
 * the kind of its subject if actions of this type have several.
 */
export const recordActivity = (
  tx: Transaction,
  by: Author,
  accountId: string | null,
  type: RecordedEvent,
  { id, of, changes = {} }: { id: string | null; of?: string; changes?: Changes },
) => {
  const row = recordedOf(by, accountId, type, id, { changes })
  return write(tx, [of ? { ...row, subject: { type: of, id } } : row])
}

/** Like `recorded`, for many, in one statement. */
export const recordActivities = (
  tx: Transaction,
  by: Author,
  accountId: string | null,
  happenings: { type: RecordedEvent; id: string; changes?: Changes }[],
) =>
  write(
    tx,
    happenings.map(({ type, id, changes = {} }) => recordedOf(by, accountId, type, id, { changes })),
  )

/** Adds lines to a timeline for an event of another object. */
export const addTimelineLines = (
  tx: Transaction,
  by: Author,
  accountId: string,
  type: RecordedEvent,
  { id, lines }: { id: string; lines: TimelineLine[] },
) => write(tx, [{ ...recordedOf(by, accountId, type, id, { lines }), audited: false }])

const recordedOf = (
  by: Author,
  accountId: string | null,
  type: RecordedEvent,
  id: string | null,
  data: object,
): Row => ({
  by,
  accountId,
  type,
  kind: 'recorded',
  audited: true,
  subject: { type: recordedEvents[type], id },
  data,
})

/** An event for the product itself, such as a mail to send: it contains ids, never addresses or secrets. */
export type Signal<Data extends object> = { type: string; data?: Data }
export const defineSignal = <Data extends object>(type: string): Signal<Data> => ({ type })

/** Sends a signal in the transaction of its cause. */
export const sendSignal = <Data extends object>(
  tx: Transaction,
  accountId: string | null,
  { type }: Signal<Data>,
  data: NoInfer<Data>,
) => write(tx, [{ by: system, accountId, type, kind: 'internal', audited: false, subject: null, data }])

type Row = {
  by: Author
  accountId: string | null
  type: string
  kind: 'public' | 'recorded' | 'internal'
  /**
   * Whether the activity shows it. Leads and sales from own systems and providers come by the thousand and are left
   * out; promotion codes appear in the activity of their partners.
   */
  audited: boolean
  subject: { type: string; id: string | null } | null
  data: object
}

const columns = sql`id, account_id, at, type, kind, audited, actor_type, actor_id, network, request_id, subject_type,
  subject_id`

type Shown = {
  account_id: string
  type: string
  subject_type: string | undefined
  subject_id: string | null | undefined
}

/** Whether an event is shown to people. */
const isShown = (event: { audited: boolean; kind: Row['kind']; subject_type: string | undefined }) =>
  event.audited || event.kind === 'recorded' || event.subject_type === 'lead'

/** The condition of `isShown` in SQL, for rows of events and future ones. */
export const isShownEvent = (event: Sql) =>
  sql`(${event}.audited or ${event}.kind = 'recorded' or ${event}.subject_type = 'lead')`

/** Stores shown events permanently without their objects, and relayed ones with them for some time. */
async function write(tx: Transaction, rows: Row[]): Promise<void> {
  const given = rows.map(({ accountId, type, kind, audited, by, subject, data }) => ({
    id: newId(),
    account_id: accountId ?? NIL,
    type,
    kind,
    audited,
    data,
    actor_type: by.type,
    actor_id: by.id,
    network: by.from?.network,
    request_id: by.from?.requestId,
    subject_type: subject?.type,
    subject_id: subject?.id,
  }))
  const shown = given.filter(isShown).map((event) => ({ ...event, data: { ...event.data, object: undefined } }))
  const passing = given.filter(({ kind }) => kind !== 'recorded')
  // apart: within one statement, a cluster would send what the parts share to every machine
  const [isOvertaken] = await Promise.all([
    hasLaterEvent(tx, shown),
    shown.length > 0 &&
      tx.run`
        insert into events (${columns}, data) select ${columns}, data from ${parsed(shown, tx.now)} e`,
    passing.length > 0 &&
      tx.run`insert into passing_events (${columns}, data) select ${columns}, data from ${parsed(passing, tx.now)} e`,
    passing.length > 0 &&
      tx.run`
        insert into event_relays (event_id, account_id)
        select * from unnest(${passing.map(({ id }) => id)}::uuid[], ${passing.map((one) => one.account_id)}::uuid[])`,
  ])
  if (isOvertaken) throw new Overtaken('a transaction that began later has changed the same first')
  if (passing.length > 0) tx.afterCommit(() => tx.database.notify(EVENTS))
}

/** Milliseconds after which a transaction is too long to run again; the longest wait for a lock. */
const LONG = 5000

/**
 * Whether one of these subjects, which the caller has locked, already has an event of a later time: the transaction
 * waited while one that began after it went first. It runs again, so that times have the order of the changes. A time
 * in the future is another server's clock, for which nothing waits.
 */
async function hasLaterEvent(tx: Transaction, events: Shown[]): Promise<boolean> {
  const until = tx.database.now
  if (!tx.mayRunAgain || until.getTime() - tx.now.getTime() > LONG) return false
  const later = async (some: Shown[], index: Sql) =>
    some.length > 0 &&
    (await tx.maybe`
      select from events e
      where ${inAccountsSql(
        sql`e.account_id`,
        some.map((one) => one.account_id),
      )} and e.subject_id = any(${some.map((one) => one.subject_id)}::uuid[]) and ${index}
        and e.at > ${tx.now} and e.at <= ${until} and e.id >= ${leastIdAt(Date.now() - 2 * LONG)}
      limit 1`) !== undefined
  // a new subject has none
  const known = events.filter(({ type, subject_id }) => subject_id && !type.endsWith('.created'))
  const [ofLeads, others] = [
    known.filter(({ subject_type }) => subject_type === 'lead'),
    known.filter(({ subject_type }) => subject_type !== 'lead'),
  ]
  const found = await Promise.all([later(ofLeads, sql`e.subject_type = 'lead'`), later(others, sql`e.audited`)])
  return found.includes(true)
}

/** Events as rows. */
const parsed = (events: object[], at: Date) => sql`(
  select g.*, ${at}::timestamptz as at
  from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as g (id uuid, account_id uuid, type text, kind text,
    audited boolean, actor_type text, actor_id uuid, network text, request_id text, subject_type text, subject_id uuid,
    data jsonb))`
