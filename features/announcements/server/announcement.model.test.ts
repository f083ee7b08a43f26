import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { mailQueue } from '#server/integrations/mail/queue.ts'
import { type Listener, relayOnce } from '#server/platform/events/relay.ts'
import { verifyLedger } from '#server/program/stats/verify.ts'
import { listeners, work } from '#server/queue-handlers.ts'
import { fakeSmtp } from '#test/fakes/smtp.ts'
import { anAccount, aPartner, expectOk, startApp } from '#test/support/app.ts'
import { freeSteps, playHistory } from '#test/support/histories.ts'
import { listSeeds, type Random, randomFrom } from '#test/support/model-test.ts'

// Random lives of announcements: partners are suspended, moved and change their mind about mails while announcements
// are sent, mailed, read and taken back, by two processes that die on the way. A plain list has who reads what, and
// the outcome of each mail.

const secretKey = Buffer.alloc(32, 7)
const server = await fakeSmtp()
after(() => server.close())
const runMail = work.find(({ queue }) => queue === mailQueue)!.run

type Mail = 'waiting' | 'mailed' | 'turned-off' | 'failed' | 'left'
type Partner = { id: string; email: string; token: string; isActive: boolean; isGold: boolean; wants: boolean }
type Note = { id: string; subject: string; readers: Map<Partner, { mail: Mail; read: boolean }> }
type MailJob = { kind: string; id: string; partnerId: string }

async function begin(seed: number) {
  const { pick } = randomFrom(seed)
  const app = await startApp({ config: { secretKey } })
  const twin = await startApp({ db: app.services.db, config: { secretKey } })
  const either = () => pick([app, twin])
  const account = await anAccount(app, { timeZone: 'UTC' })
  const call = async (method: string, path: string, body?: unknown, token = account.token) =>
    expectOk(await either().api(method, path, { token, body })).body
  const { id: gold } = await call('POST', `/accounts/${account.id}/groups`, { name: 'Gold' })
  const partners: Partner[] = []
  for (const firstName of ['Ada', 'Bob', 'Cleo', 'Dan', 'Eve']) {
    const { id, email, token } = await aPartner(app, account, { firstName }, { signIn: true })
    partners.push({ id, email, token, isActive: true, isGold: false, wants: true })
  }
  await aPartner(app, account, { firstName: 'Invited' })
  return {
    ...{ app, either, anyPartner: () => pick(partners), account, call, gold, partners },
    mailing: { ...app.services, config: { ...app.services.config, smtpUrl: server.url } },
    ...{ notes: [] as Note[], gone: [] as Note[], asked: 0, sent: 0, isDisabled: false },
  }
}
type World = Awaited<ReturnType<typeof begin>>

const filtersOf = ({ account, gold, partners }: World): [object, (partner: Partner) => boolean][] => [
  [{}, () => true],
  [{ groupId: [gold] }, ({ isGold }) => isGold],
  [{ groupId: [account.id], state: ['active', 'suspended'] }, ({ isGold }) => !isGold],
  [{ ids: [partners[0]!.id, partners[3]!.id] }, (partner) => [0, 3].includes(partners.indexOf(partner))],
  [{ search: 'cleo' }, (partner) => partner === partners[2]],
]

const steps = freeSteps<World>({
  async send(world, { pick, below, chance }) {
    const { either, account, call, partners, notes } = world
    const [filter, meets] = pick(filtersOf(world))
    const readers = partners.filter((partner) => partner.isActive && meets(partner))
    const body = { subject: `Hello {firstName} ${below(1000)}`, body: 'News', filter }
    const send = (key: string) =>
      either().api('POST', `/accounts/${account.id}/announcements`, {
        ...{ token: account.token, body, headers: { 'idempotency-key': key } },
      })
    const preview = await call('POST', `/accounts/${account.id}/announcements`, { ...body, preview: true })
    assert.deepEqual(
      [preview.count, preview.mails],
      [readers.length, readers.filter(({ wants }) => wants).length],
      'preview',
    )
    const key = `send-${world.asked++}`
    const replies = await Promise.all(chance(50) ? [send(key), send(key)] : [send(key)])
    const isRunning = ({ body }: (typeof replies)[number]) => body.error?.reason === 'idempotency_key_running'
    const reply = replies.find((one) => !isRunning(one))!
    const expected = world.sent >= 10 ? 'announcements_today' : readers.length === 0 ? 'no_recipients' : undefined
    assert.equal(reply.body.error?.reason, expected)
    if (expected) return
    world.sent++
    const states = readers.map((partner) => [partner, { mail: 'waiting' as Mail, read: false }] as const)
    notes.push({ id: reply.body.id, subject: body.subject, readers: new Map(states) })
  },
  async remove({ call, notes, gone }, { below }) {
    if (notes.length === 0) return
    const [note] = notes.splice(below(notes.length), 1)
    gone.push(note!)
    await call('DELETE', `/announcements/${note!.id}`)
  },
  async suspend({ call, partners }, { pick }) {
    const partner = pick(partners)
    partner.isActive = !partner.isActive
    const state = partner.isActive ? { state: 'active' } : { state: 'suspended', reason: 'Checks' }
    await call('PUT', `/partners/${partner.id}`, state)
  },
  async move({ account, call, gold, partners }, { pick }) {
    const partner = pick(partners)
    partner.isGold = !partner.isGold
    await call('PUT', `/partners/${partner.id}`, { groupId: partner.isGold ? gold : account.id })
  },
  async choose({ call, partners }, { pick }) {
    const partner = pick(partners)
    partner.wants = !partner.wants
    await call('PATCH', '/users/me', { preferences: { mail: { news: partner.wants } } }, partner.token)
  },
  async read({ call, partners, notes, gone }, { pick }) {
    const partner = pick(partners)
    const upTo = pick([...notes, ...gone])
    if (!upTo || (!gone.includes(upTo) && !upTo.readers.has(partner))) return
    await call('POST', `/partners/${partner.id}/announcements/read`, { upTo: upTo.id }, partner.token)
    for (const { id, readers } of notes) if (id <= upTo.id && readers.has(partner)) readers.get(partner)!.read = true
  },
  async relay({ app }, { chance }) {
    const dies = chance(30)
    const listener: Listener = async (tx, events, services) => {
      for (const one of listeners) await one(tx, events, services)
      if (dies) throw Object.assign(new Error('killed'), { code: '57P01' })
    }
    await relayOnce(app.services, [listener]).catch((error) => assert.equal(error.message, 'killed'))
  },
  mail,
  async disable(world, random) {
    const { account, call } = world
    const set = (to: 'disable' | 'enable') => call('POST', `/accounts/${account.id}/${to}`, {}, account.admin)
    world.isDisabled = true
    await set('disable')
    await mail(world, random)
    world.isDisabled = false
    await set('enable')
  },
  async day(world) {
    if (world.sent < 10) return
    world.sent = 0
    await world.app.services.db.run`
      update announcements set sent_on = sent_on - 1 where account_id = ${world.account.id}`
  },
})

/** Returns how many were sent. */
async function mail(world: World, random: Random) {
  const boss = await world.app.services.jobs.boss()
  const jobs = await boss.fetch<MailJob>(mailQueue.name, { batchSize: 1 + random.below(4) })
  if (jobs.length === 0) return 0
  for (const { data } of jobs) await runOne(world, data, random)
  await boss.complete(
    mailQueue.name,
    jobs.map(({ id }) => id),
  )
  return jobs.length
}

async function runOne({ mailing, partners, notes, isDisabled }: World, job: MailJob, { pick }: Random) {
  const run = (isLast = false) => runMail(mailing, job as never, { isLast })
  if (job.kind !== 'announcement') return void (await run())
  const partner = partners.find(({ id }) => id === job.partnerId)!
  const reader = notes.find(({ id }) => id === job.id)?.readers.get(partner)
  const goes = reader?.mail === 'waiting' && partner.isActive && !isDisabled
  const way = goes && partner.wants ? pick(['once', 'twice', 'later', 'never', 'given up']) : pick(['once', 'twice'])
  const { email: to } = partner
  if (way === 'later' || way === 'given up') {
    server.refuse(451, { to })
    await assert.rejects(run(way === 'given up'))
  }
  if (way === 'never') server.refuse(550, { to })
  if (way !== 'given up') await run()
  if (way === 'twice') await run()
  if (reader?.mail === 'waiting')
    reader.mail = !goes ? 'left' : !partner.wants ? 'turned-off' : /never|given/.test(way) ? 'failed' : 'mailed'
}

async function check({ account, call, notes, anyPartner }: World) {
  const { items } = await call('GET', `/accounts/${account.id}/announcements?limit=100`)
  const countOf = ({ readers }: Note, wanted: Mail) =>
    [...readers.values()].filter(({ mail }) => mail === wanted).length
  assert.deepEqual(
    items.map(({ id, recipients, mailed, turnedOff, failed }: Record<string, unknown>) => [
      ...[id, recipients, mailed, turnedOff, failed],
    ]),
    notes
      .toReversed()
      .map((note) => [
        ...[note.id, note.readers.size, countOf(note, 'mailed'), countOf(note, 'turned-off')],
        countOf(note, 'failed'),
      ]),
  )
  const partner = anyPartner()
  const path = `/partners/${partner.id}/announcements?limit=100`
  const seen = (await call('GET', path, undefined, partner.token)).items
  assert.deepEqual(
    seen.map(({ id, readAt }: { id: string; readAt: string | null }) => [id, readAt !== null]),
    notes.toReversed().flatMap(({ id, readers }) => (readers.has(partner) ? [[id, readers.get(partner)!.read]] : [])),
  )
  for (const { id, readers } of notes)
    for (const [{ email, id: partnerId }, { mail }] of readers) {
      const got = server.to(email).filter(({ headers }) => headers['message-id']?.[0]?.includes(`${id}-${partnerId}`))
      assert.equal(got.length, mail === 'mailed' ? 1 : 0)
    }
}

async function end(world: World) {
  const { services } = world.app
  while ((await relayOnce(services, listeners)) > 0);
  const random = randomFrom(1)
  while ((await mail(world, random)) > 0) await check(world)
  for (const { readers } of world.notes) for (const { mail } of readers.values()) assert.notEqual(mail, 'waiting')
  assert.deepEqual(await verifyLedger(services.db), [])
}

const histories = { begin, steps, weights: { send: 3, relay: 3, mail: 4 }, length: 53, check, end }
for (const seed of listSeeds(1))
  test(`seed ${seed}: announcements reach the partners of a plain list, each once`, () => playHistory(histories, seed))
