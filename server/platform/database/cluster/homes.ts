import { isIPv6 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { eachHost } from '../../config/database-address.ts'
import { runWithoutCause } from '../../work-context.ts'
import { hasCode, isForbidden } from '../database-errors.ts'
import { createLookUp } from '../look-up.ts'
import { type Database, isDatabaseAway, type Queryable } from '../pool.ts'
import { isPartGone, makeParts, statementsWithin } from './parts.ts'
import { rememberSpread, servesSpread } from './spread.ts'

/**
 * The machines of a cluster by the accounts they hold. What asks its account's own machine costs the coordinator
 * nothing, and within the account's part of it, no planning by Citus. A part refuses once it was moved, and any machine
 * answers for any account, so an outdated map costs time, never truth; and the coordinator answers for a machine that
 * can't be reached from here.
 */
export type Homes = {
  /**
   * Returns the name of the place of an account's rows: accounts that have the same may be written in one transaction.
   */
  placeOf(accountId: string): Promise<string>
  /**
   * Runs `work`, one transaction at most, in the place of these accounts and where no other is seen: on an install that
   * isn't spread, or if they are in several places, on the only or the first machine. Again on the first if the place was
   * moved meanwhile, or if it writes what isn't of an account.
   */
  at<T>(accountIds: string[], work: (db: Database) => Promise<T>): Promise<T>
  /** Runs `work`, which only reads what is of this account, there, or on the coordinator if that machine fails. */
  read<T>(accountId: string, work: (db: Queryable) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Milliseconds after which the places of shards are read again, as they may have been moved. */
const KNOWN_FOR_MS = 60_000
/** Accounts known at the same time. */
const MOST_KNOWN = 100_000
/** Milliseconds between attempts to reach a machine. */
const AGAIN_MS = 5000

type Machine = { database: Database; isReached: Promise<boolean> }
/** The database within a part, for what is repeated with few texts and for what has many; null without that part. */
type Part = { booking: Database; reading: Database } | null

export function createHomes(db: Database): Homes {
  /** Shards by their accounts, for good. */
  const shards = new Map<string, string>()
  /** Places by shards. */
  let places: Promise<Map<string, string>> | undefined
  let placesSince = 0
  let parts = new Map<string, Promise<Part>>()
  const machines = new Map<string, Machine>()
  let isClosed = false

  function forget() {
    shards.clear()
    places = undefined
  }

  const ask = createLookUp<string, string>(async (accountIds) => {
    const found = await db.many<{ accountId: string; shard: string }>`
      select wanted.id::text as account_id, s.shardid::text as shard
      from unnest(${accountIds}::uuid[]) as wanted (id)
      join pg_dist_shard s on s.logicalrelid = 'partners'::regclass
        and worker_hash(wanted.id) between s.shardminvalue::int and s.shardmaxvalue::int`
    return new Map(found.map(({ accountId, shard }) => [accountId, shard]))
  })

  async function shardOf(accountId: string): Promise<string> {
    const known = shards.get(accountId)
    if (known !== undefined) return known
    const shard = (await ask(accountId)) ?? ''
    if (shards.size >= MOST_KNOWN) shards.clear()
    shards.set(accountId, shard)
    return shard
  }

  function readPlaces() {
    placesSince = performance.now()
    // parts that couldn't be entered are tried again
    parts = new Map()
    const reading = db.many<{ shard: string; place: string }>`
      select s.shardid::text as shard, n.nodename || ' ' || n.nodeport || ' ' || s.shardid as place
      from pg_dist_shard s join pg_dist_placement p using (shardid)
      join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary' and n.metadatasynced
      where s.logicalrelid = 'partners'::regclass`
    return reading.then(
      (found) => new Map(found.map(({ shard, place }) => [shard, place])),
      (error) => {
        places = undefined
        throw error
      },
    )
  }

  async function placeOf(accountId: string): Promise<string> {
    if (!(await servesSpread(db))) return ''
    if (performance.now() - placesSince > KNOWN_FOR_MS) places = undefined
    places ??= readPlaces()
    const [byShard, shard] = await Promise.all([places, shardOf(accountId)])
    return byShard.get(shard) ?? ''
  }

  function open(machine: string): Machine {
    // listeners listen to the coordinator
    const { notify, ownNews } = db
    const database = Object.assign(db.beside(addressOf(db.url, machine)), { notify, ownNews })
    rememberSpread(database, true)
    const isReached = reach(database)
    const opened = { database, isReached }
    void isReached.then((is) => {
      if (!is) turnAway(machine, opened)
    })
    return opened
  }

  /** Lets the coordinator answer until the machine is reached again. */
  function turnAway(name: string, machine: Machine) {
    machine.isReached = Promise.resolve(false)
    runWithoutCause(async () => {
      db.log.warn(
        { machine: name },
        'the coordinator answers for a machine of the cluster that this process can’t reach',
      )
      do await sleep(AGAIN_MS, undefined, { ref: false })
      while (!isClosed && !(await reach(machine.database)))
      machine.isReached = Promise.resolve(true)
    })
  }

  async function enter({ database }: Machine, part: string): Promise<Part> {
    const begins = statementsWithin(part)
    await makeParts(database)
    const within = (name: string | null) => {
      const entered = database.beginningWith(begins, name)
      // a part is as one PostgreSQL
      rememberSpread(entered, false)
      return entered
    }
    return { booking: within(part), reading: within(null) }
  }

  async function run<T>(accountIds: string[], work: (db: Database) => Promise<T>, use: keyof NonNullable<Part>) {
    const places = new Set(await Promise.all(accountIds.map(placeOf)))
    const [place = ''] = places
    if (place === '' || places.size > 1) return work(db)
    const [, name = '', number = ''] = /^(.+) (\d+)$/.exec(place) ?? []
    const machine = machines.get(name) ?? open(name)
    machines.set(name, machine)
    const { isReached } = machine
    if (!(await isReached)) return work(db)
    const part = parts.get(place) ?? enter(machine, number).catch(() => null)
    parts.set(place, part)
    try {
      return await work((await part)?.[use] ?? machine.database)
    } catch (error) {
      if (isPartGone(error)) {
        forget()
        return work(db)
      }
      if (use === 'booking' && isBeyond(error)) return work(db)
      // a view has no key that its other columns could follow from
      if (use === 'reading' && isUngrouped(error)) return work(machine.database)
      if (isDatabaseAway(error) && machine.isReached === isReached) turnAway(name, machine)
      throw error
    }
  }

  return {
    placeOf,
    at: (accountIds, work) => run(accountIds, work, 'booking'),
    async read(accountId, work) {
      let database = db
      try {
        return await run(
          [accountId],
          (home) => {
            database = home
            return work(home)
          },
          'reading',
        )
      } catch (error) {
        if (database === db || !(isDatabaseAway(error) || isUnknownTable(error))) throw error
        return work(db)
      }
    },
    async close() {
      isClosed = true
      await Promise.all([...machines.values()].map(({ database }) => database.close()))
    },
  }
}

/** A table of the coordinator alone is unknown to the other machines. */
const isUnknownTable = (error: unknown) => hasCode(error, '42P01')

/** Whether a transaction failed since it writes more than what is of its account, which the coordinator does. */
const isBeyond = (error: unknown) => isUnknownTable(error) || isForbidden(error)

const isUngrouped = (error: unknown) => hasCode(error, '42803')

const reach = (database: Database) =>
  database.value<boolean>`select to_regclass('pg_dist_partition') is not null`.catch(() => false)

function addressOf(url: string, machine: string) {
  const [host = '', port = ''] = machine.split(' ')
  const address = new URL(eachHost(url)[0]!)
  address.hostname = isIPv6(host) ? `[${host}]` : host
  address.port = port
  for (const name of ['host', 'port']) address.searchParams.delete(name)
  return address.href
}
