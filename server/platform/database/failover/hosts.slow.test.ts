import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { waitUntil } from '../../../../test/support/app.ts'
import { addressOfBoth, type Primary, startPrimary, startStandby } from '../../../../test/support/standby.ts'
import { runChecks } from '../../../doctor/check.ts'
import { database } from '../../../doctor/database.ts'
import { meetPatient } from '../../../doctor/patient.ts'
import { type Database, isDatabaseAway, openDatabase, systemClock } from '../pool.ts'

const silent = pino({ level: 'silent' })

/** Opens a database closed at the end of the test; records its log. */
function open(url: string) {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const db = openDatabase({ url, log, max: 4 })
  after(() => db.close())
  return { db, lines }
}

const write = (db: Database, name: string) => db.run`insert into kept values (${name})`
const servedBy = async (db: Database) =>
  (await db.one<{ port: number }>`select current_setting('port')::int as port`).port

/** Simulates a machine that hangs, or is unplugged: no answers, and no errors. */
function freeze({ place }: Primary, signal: 'SIGSTOP' | 'SIGCONT') {
  const postmaster = readFileSync(join(place.cluster, 'postmaster.pid'), 'utf8').split('\n')[0]!
  const children = execFileSync('pgrep', ['-P', postmaster], { encoding: 'utf8' }).trim().split('\n')
  for (const pid of [postmaster, ...children]) process.kill(Number(pid), signal)
}

async function aPair() {
  const primary = await startPrimary()
  const setUp = openDatabase({ url: primary.url, log: silent, max: 1 })
  await setUp.run`create table kept (name text)`
  const standby = await startStandby(primary)
  await setUp.close()
  return { primary, standby, standbyPort: Number(new URL(standby.url).port) }
}

const onLinux = process.platform === 'linux' ? false : 'it stops processes as only Linux lets us find them'

test('the host that accepts writes is used; a hanging one is left for the promoted one, and not used when it returns', {
  skip: onLinux,
}, async () => {
  const { primary, standby, standbyPort } = await aPair()
  const both = addressOfBoth(primary, standby)
  const { db, lines } = open(both)
  assert.equal(await servedBy(db), primary.place.port)
  await write(db, 'before')
  await waitUntil(async () => (await db.one<{ n: number }>`select count(*) as n from pg_stat_replication`).n === 1)

  // all connections are open, so that no new one notices
  await Promise.all(Array.from({ length: 4 }, () => db.run`select pg_sleep(0.3)`))
  assert.equal(db.pool.totalCount, 4)
  freeze(primary, 'SIGSTOP')
  const hanging = Array.from({ length: 6 }, (_, n) => write(db, `hanging ${n}`))
  const ends = Promise.allSettled(hanging)
  await standby.promote()
  const promoted = performance.now()
  await waitUntil(() => write(db, 'after'))
  const back = performance.now() - promoted
  assert.ok(back < 5000, `${back} ms`)
  assert.equal(await servedBy(db), standbyPort)
  for (const end of await ends) assert.ok(end.status === 'rejected' && isDatabaseAway(end.reason), JSON.stringify(end))
  assert.deepEqual(
    lines.map(({ from, to }) => [from, to]).filter(([from]) => from),
    [[new URL(primary.url).host, new URL(standby.url).host]],
  )

  freeze(primary, 'SIGCONT')
  const [user, hosts] = [both.slice(0, both.indexOf('@')), both.slice(both.indexOf('@') + 1)]
  const [first, second] = hosts.split('/')[0]!.split(',')
  for (const order of [`${first},${second}`, `${second},${first}`]) {
    // a process started now
    const later = open(`${user}@${order}/postgres?application_name=later`)
    assert.equal(await servedBy(later.db), standbyPort)
    const [said] = later.lines
    assert.match(String(said?.msg), /^several hosts take writes/)
    assert.deepEqual([said?.used, said?.alsoTakesWrites], [second, [first]])
  }
  assert.equal(await servedBy(db), standbyPort)
  assert.match(await readDoctorFindings(both), /accepts writes as well as .*, which was promoted later/)
  await primary.kill()
  assert.match(await readDoctorFindings(both), new RegExp(`127.0.0.1:${primary.place.port} does not answer`))
})

/** Returns the findings of the doctor's database check, at this address. */
async function readDoctorFindings(url: string): Promise<string> {
  const patient = meetPatient({ DATABASE_URL: url }, { clock: systemClock })
  try {
    return (await runChecks([database], patient)).map(({ finding }) => finding).join('\n')
  } finally {
    await patient.leave()
  }
}

test('an address with only a standby counts as down for writes until it is promoted, as does one of several', async () => {
  const { primary, standby } = await aPair()
  const { db } = open(standby.url)
  await assert.rejects(
    write(db, 'too early'),
    (error: Error) => isDatabaseAway(error) && /read-only/.test(error.message),
  )
  assert.equal(db.pool.totalCount, 0, 'its connection is not used again')
  const several = open(addressOfBoth(primary, standby)).db
  await write(several, 'before')
  await primary.kill()
  await assert.rejects(
    waitUntil(() => write(several, 'between'), 500),
    (error: Error) => {
      assert.match(
        error.message,
        /^none of its 2 hosts takes writes \(.* does not answer: .*; .* only reads\)$|Connection terminated/,
      )
      return isDatabaseAway(error)
    },
  )
  await standby.promote()
  await waitUntil(() => write(several, 'after'), 5000)
  await write(db, 'after')
})

test('nothing stays connected once everything opened is closed, however early', async () => {
  const { primary, standby } = await aPair()
  const both = addressOfBoth(primary, standby)
  const others = openDatabase({ url: primary.url, log: silent, max: 1 })
  after(() => others.close())
  const connected = async () =>
    (
      await others.one<{ count: number }>`
        select count(*) as count from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()`
    ).count
  for (let pauseMs = 0; pauseMs < 60; pauseMs += 5) {
    // each of these has its own knowledge of the address's hosts
    const db = openDatabase({ url: `${both}?application_name=after_${pauseMs}`, log: silent, max: 4 })
    await db.one`select 1`
    await sleep(pauseMs)
    await db.close()
  }
  await waitUntil(async () => (await connected()) === 0, 1000)
})

test('a wrong password is reported at once, as with a single host', async () => {
  const { primary, standby } = await aPair()
  const url = addressOfBoth(primary, standby).replace(/:[^:@]*@/, ':wrong@')
  await assert.rejects(open(url).db.one`select 1`, { code: '28P01' })
})
