import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { workOff } from '#demo/drain-jobs.ts'
import { type Listener, relayOnce } from '#server/platform/events/relay.ts'
import { listeners } from '#server/queue-handlers.ts'
import { fakeSmtp } from '#test/fakes/smtp.ts'
import { acceptInvitation, anAccount, anEmail, aPartner, expectOk, startApp, waitUntil } from '#test/support/app.ts'

const server = await fakeSmtp()
after(() => server.close())
const app = await startApp()
const { db } = app.services
/** With a mail server; links of invitations are answered only by an app without one. */
const mailing = { ...app.services, config: { ...app.services.config, smtpUrl: server.url } }

type Body = Record<string, unknown>

async function aProgram(settings: object = {}) {
  const account = await anAccount(app, { name: 'Acme', timeZone: 'UTC', ...settings })
  const path = `/accounts/${account.id}/announcements`
  const send = async (body: Body, headers: Record<string, string> = {}) => {
    const given = { subject: 'News', body: 'Hello {firstName}', ...body }
    const reply = await app.api('POST', path, { token: account.token, body: given, headers })
    return { ...reply, said: reply.body?.error ? `${reply.status} ${reply.body.error.reason}` : `${reply.status}` }
  }
  const call = async (method: string, path: string, body?: Body, token = account.token) =>
    expectOk(await app.api(method, path, { token, body })).body
  const list = async () => (await call('GET', path)).items
  const partner = (fields: Body = {}) => aPartner(app, account, fields, { signIn: true })
  const notes = async ({ id, token }: { id: string; token: string }, query = '') =>
    (await call('GET', `/partners/${id}/announcements${query}`, undefined, token)).items
  return { account, path, send, call, list, partner, notes }
}

test('an announcement is a mail and a note until it is closed or taken back', async () => {
  const { account, send, call, list, partner, notes } = await aProgram()
  await call('PUT', `/accounts/${account.id}/brand`, { accent: '#0e7c86' })
  const pia = await partner({ firstName: 'Pia' })
  const nameless = await partner({ firstName: null, lastName: null })
  const off = await partner({ firstName: 'Otto' })
  await call('PATCH', '/users/me', { preferences: { mail: { news: false } } }, off.token)
  await aPartner(app, account, { firstName: 'Invited' })
  const suspended = await partner()
  await call('PUT', `/partners/${suspended.id}`, { state: 'suspended', reason: 'Checks' })

  const draft = {
    subject: '<b>More</b> for {firstName}',
    body: '# Hello {firstName}\n\n<script>alert(1)</script>\n\n- https://acme.example/news',
  }
  const { status, body: preview } = await send({ ...draft, preview: true })
  assert.equal(status, 200)
  assert.deepEqual([preview.count, preview.mails], [3, 2])
  assert.equal(
    preview.page,
    '<h2>&lt;b&gt;More&lt;/b&gt; for there</h2><h3>Hello there</h3><p>&lt;script&gt;alert(1)&lt;/script&gt;</p>' +
      '<ul><li><a href="https://acme.example/news" rel="nofollow noopener">https://acme.example/news</a></li></ul>',
  )
  assert.deepEqual(await list(), [])

  const { body: sent } = await send(draft)
  assert.deepEqual([sent.recipients, sent.mailed, sent.subject, sent.body], [3, 0, draft.subject, draft.body])
  await workOff(mailing)
  const [listed] = await list()
  assert.deepEqual([listed.recipients, listed.mailed, listed.turnedOff, listed.failed], [3, 2, 1, 0])
  assert.deepEqual([server.to(off.email).length, server.to(suspended.email).length], [0, 0])
  const [mail] = server.to(pia.email)
  assert.equal(mail!.subject, '<b>More</b> for Pia')
  assert.match(mail!.html, /<h2[^>]*>Hello Pia<\/h2>.*&lt;script&gt;alert\(1\)&lt;\/script&gt;/s)
  assert.match(mail!.html, /class="button" style="background:#0e7c86/)
  assert.doesNotMatch(mail!.html, /<script/)
  assert.match(mail!.text, /Hello Pia\n\n<script>alert\(1\)<\/script>\n\n- https:\/\/acme\.example\/news\n/)
  assert.match(mail!.headers['reply-to']![0]!, new RegExp(account.ownerEmail))
  assert.deepEqual(mail!.headers['list-unsubscribe-post'], ['List-Unsubscribe=One-Click'])
  assert.match(server.to(nameless.email)[0]!.text, /Hello there/)

  const csv = await fetch(`${app.url}/api/v1/accounts/${account.id}/announcements/csv`, {
    headers: { authorization: `Bearer ${account.token}` },
  })
  assert.ok((await csv.text()).includes('<b>More</b> for {firstName}'))

  const [note] = await notes(pia)
  assert.deepEqual([note.subject, note.readAt], ['<b>More</b> for Pia', null])
  assert.match(note.body, /^# Hello Pia\n/)
  const { body: second } = await send({ subject: 'Second' })
  assert.deepEqual(
    (await notes(pia, '?read=false&limit=1')).map(({ id }: { id: string }) => id),
    [second.id],
  )
  await call('POST', `/partners/${pia.id}/announcements/read`, { upTo: sent.id }, pia.token)
  const read = async (query = '') => (await notes(pia, query)).map(({ id }: { id: string }) => id)
  assert.deepEqual([await read('?read=true'), await read('?read=false')], [[sent.id], [second.id]])
  await call('POST', `/partners/${pia.id}/announcements/read`, { upTo: second.id }, pia.token)
  assert.deepEqual(await read('?read=false'), [])
  assert.equal((await notes(off, '?read=false')).length, 2, 'each closes their own')
  const stranger = await partner()
  const foreign = { token: stranger.token, body: { upTo: sent.id } }
  assert.equal((await app.api('POST', `/partners/${stranger.id}/announcements/read`, foreign)).status, 404)

  await call('DELETE', `/announcements/${second.id}`)
  await workOff(mailing)
  assert.deepEqual(await read(), [sent.id])
  assert.equal(server.to(pia.email).length, 1, 'a mail that waited is not sent')
  await call('POST', `/partners/${off.id}/announcements/read`, { upTo: second.id }, off.token)
  assert.deepEqual(await notes(off, '?read=false'), [], 'closing one that was just taken back closes those before')
  assert.equal((await app.api('DELETE', `/announcements/${second.id}`, { token: account.token })).status, 404)

  const { items } = await call('GET', `/accounts/${account.id}/audit`)
  const audited = items.filter(({ action }: { action: string }) => action.startsWith('account.announcement'))
  assert.deepEqual(
    audited.map(({ action, changes }: { action: string; changes: Record<string, { new: unknown }> }) => [
      action,
      changes.partners?.new,
    ]),
    [
      ['account.announcement-deleted', undefined],
      ['account.announcement-sent', 3],
      ['account.announcement-sent', 3],
    ],
  )
})

test('it reaches the active partners whom the list shows with the same filter', async () => {
  const { account, send, call, partner } = await aProgram()
  const { id: gold } = await call('POST', `/accounts/${account.id}/groups`, { name: 'Gold' })
  const ada = await partner({ firstName: 'Ada', groupId: gold })
  const bob = await partner({ firstName: 'Bob', parentPartnerId: ada.id })
  const cleo = await partner({ firstName: 'Cleo', groupId: gold, externalId: 'user-3' })
  await call('PUT', `/partners/${cleo.id}`, { state: 'suspended', reason: 'Checks' })
  await aPartner(app, account, { firstName: 'Invited Ada' })
  await call('POST', `/accounts/${account.id}/agreement`, { text: 'Be kind.' })
  await call('POST', `/partners/${bob.id}/acceptances`, { version: 1 }, bob.token)
  const today = app.clock.now().toISOString().slice(0, 10)
  const filters: [Body, string[]][] = [
    [{}, [ada.id, bob.id]],
    [{ groupId: [gold] }, [ada.id]],
    [{ groupId: [account.id] }, [bob.id]],
    [{ parentPartnerId: [ada.id, 'none'] }, [ada.id, bob.id]],
    [{ parentPartnerId: [ada.id] }, [bob.id]],
    [{ search: 'ada' }, [ada.id]],
    [{ agreement: ['accepted'] }, [bob.id]],
    [{ approved: true }, []],
    [{ from: today, to: today }, [ada.id, bob.id]],
    [{ to: '2020-01-01' }, []],
    [{ externalId: 'user-3' }, []],
    [{ state: ['suspended'] }, []],
    [{ state: ['suspended', 'active'], search: 'bob' }, [bob.id]],
  ]
  for (const [filter, expected] of filters) {
    const { body } = await send({ filter, preview: true })
    assert.equal(body.count, expected.length, JSON.stringify(filter))
    const query = new URLSearchParams(Object.entries(filter).map(([key, value]) => [key, String(value)]))
    if (!filter.state) query.set('state', 'active')
    const listed = (await call('GET', `/accounts/${account.id}/partners?${query}`)).items
      .filter(({ state }: { state: string }) => state === 'active')
      .map(({ id }: { id: string }) => id)
    assert.deepEqual(listed.toSorted(), expected.toSorted(), JSON.stringify(filter))
  }
  const named = await send({ filter: { ids: [ada.id, cleo.id, 'unknown'] }, preview: true })
  assert.equal(named.body.count, 1)
  assert.equal((await send({ filter: { approved: true } })).said, '409 no_recipients')
  assert.equal((await send({ filter: { groupId: [] } })).status, 422)
  for (const field of ['subject', 'body']) {
    const { said: outcomes, body } = await send({ [field]: 'Take {link}', preview: true })
    assert.equal(outcomes, '422 unknown_placeholder')
    assert.deepEqual(body.error.fields, { [field]: 'Use {firstName}, but not {link}' })
  }
  await send({ filter: { search: 'ada', ids: [ada.id] } })
  const { items } = await call('GET', `/accounts/${account.id}/audit`)
  assert.doesNotMatch(JSON.stringify(items[0].changes.filters), /ada/i)
})

test('ten a day of the account, deleted ones and those at the same time included', async () => {
  app.clock.set('2026-12-01T04:50:00Z')
  const { account, send, call, list, partner } = await aProgram({ timeZone: 'America/New_York' })
  await partner()
  const outcomes = (await Promise.all(Array.from({ length: 12 }, () => send({})))).map((one) => one.said)
  assert.deepEqual(outcomes.toSorted(), [...Array(10).fill('201'), ...Array(2).fill('409 announcements_today')])
  const [{ id }] = await list()
  await call('DELETE', `/announcements/${id}`)
  assert.equal((await send({})).said, '409 announcements_today')
  app.clock.set('2026-12-01T05:01:00Z')
  assert.equal((await send({})).said, '201')
  const rows = await db.many`select from announcements where account_id = ${account.id} and subject is null`
  assert.equal(rows.length, 1)
})

test('fifty requests with one key send one announcement', async () => {
  const { send, list, partner } = await aProgram()
  const pia = await partner()
  const headers = { 'idempotency-key': 'once' }
  const replies = await Promise.all(Array.from({ length: 50 }, () => send({}, headers)))
  for (const { status } of replies) assert.ok(status === 201 || status === 409, `${status}`)
  assert.equal((await send({}, headers)).status, 201)
  assert.equal((await list()).length, 1)
  await workOff(mailing)
  assert.equal(server.to(pia.email).length, 1)
})

test('a partner who has accepted is mailed where they sign in, not at an address that the account has typed', async () => {
  const { send, call, partner } = await aProgram()
  const pia = await partner({ firstName: 'Pia' })
  const typed = anEmail('typed')
  await call('PUT', `/partners/${pia.id}`, { email: typed })
  await send({ body: 'Pay here: https://evil.example/pay' })
  await workOff(mailing)
  assert.deepEqual([server.to(typed).length, server.to(pia.email).length], [0, 1])

  const { userId } = await call('POST', `/partners/${pia.id}/members`, { email: typed, role: 'owner' }, pia.token)
  const { items } = await call('GET', `/partners/${pia.id}/members`)
  await acceptInvitation(app, items.find((one: Body) => one.userId === userId).url)
  await send({ subject: 'To whom it is now' })
  await workOff(mailing)
  // beside the mail about joining, in either order
  assert.ok(server.to(typed).some(({ subject }) => subject === 'To whom it is now'))
  assert.equal(server.to(pia.email).length, 1)
})

// last, since its mails are left: sending them would take minutes
test('mails are added 500 at a time behind others, and each once though a process dies on the way', async () => {
  const { account, send } = await aProgram()
  await db.run`
    with made as (
      select n, uuidv7() as user_id, uuidv7() as id from generate_series(1, 1200) n
    ), people as (
      insert into users (id, email, created_at, updated_at)
      select user_id, 'u' || n || ${anEmail('many')}, now(), now() from made
    ), partners as (
      insert into partners (id, account_id, user_id, email, referral_code, created_on, created_at, updated_at)
      select id, ${account.id}, user_id, 'p' || n || ${anEmail('many')}, 'many-' || n, now()::date, now(), now() from made
      returning id
    )
    insert into user_roles (user_id, type, account_id, partner_id, created_at)
    select user_id, 'partner', ${account.id}, id, now() from made`
  assert.equal((await send({})).body.recipients, 1200)
  const added = async () => {
    const rows = await db.many<{ partner: string; priority: number }>`
      select data ->> 'partnerId' as partner, priority from pgboss.job
      where name = 'mail' and data ->> 'kind' = 'announcement' and data ->> 'accountId' = ${account.id}`
    assert.ok(rows.every(({ priority }) => priority === -1))
    assert.equal(new Set(rows.map(({ partner }) => partner)).size, rows.length)
    return rows.length
  }
  /** Everything was added, and the process dies before it is committed. */
  const dying: Listener = async (tx, events, services) => {
    for (const listener of listeners) await listener(tx, events, services)
    throw Object.assign(new Error('killed'), { code: '57P01' })
  }
  const counts: number[] = []
  for (let round = 0; round < 3; round++) {
    await assert.rejects(relayOnce(app.services, [dying]), /killed/)
    // the rows are free once the database has missed the process
    await waitUntil(async () => (await relayOnce(app.services, listeners)) > 0)
    counts.push(await added())
  }
  assert.deepEqual(counts, [500, 1000, 1200])
  assert.equal(await relayOnce(app.services, listeners), 0)
})
