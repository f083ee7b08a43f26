import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, expectOk, startApp, turnableClock } from '../../../test/support/app.ts'
import { anApplicant, hiddenIn, openProgram, sendForm, visitPage } from '../../../test/support/applications.ts'

const HOUR = 3_600_000

const clock = turnableClock()
const app = await startApp({ clock, config: { rateLimitFactor: 1, trustProxy: ['127.0.0.1'] } })
/** Without limits, and with the same secrets. */
const { db, config } = app.services
const setUp = await startApp({ clock, db, config: { secretKey: config.secretKey } })

test('an account takes 300 posts an hour from all networks; then the page says when', async () => {
  const account = await anAccount(setUp)
  const slug = await openProgram(setUp, account)
  clock.stop()
  const issued = hiddenIn((await visitPage(app, `/join/${slug}`)).html, 'issued')
  clock.advance(60_000)
  let networks = 0
  const post = async () => {
    const from = { 'x-forwarded-for': `10.${networks >> 8}.${networks++ & 255}.1` }
    const body = new URLSearchParams({ ...anApplicant({ firstName: 'Typed' }), issued })
    const reply = await fetch(`${app.url}/join/${slug}`, { method: 'POST', redirect: 'manual', headers: from, body })
    return { status: reply.status, wait: reply.headers.get('retry-after'), html: await reply.text() }
  }
  for (let round = 0; round < 30; round++) {
    const replies = await Promise.all(Array.from({ length: 10 }, post))
    assert.deepEqual(
      replies.map(({ status }) => status),
      Array(10).fill(303),
    )
  }
  clock.advance(20 * 60_000)
  const { status, wait, html } = await post()
  assert.deepEqual([status, wait], [429, `${40 * 60}`])
  assert.match(html, /Please try again in 40 minutes/)
  assert.match(html, /value="Typed"/)
  const stored = await db.value<number>`select count(*) from applications where account_id = ${account.id}`
  assert.equal(stored, 300, 'what was refused is not stored')
  const other = await openProgram(setUp, await anAccount(setUp))
  assert.equal((await sendForm(setUp, other, anApplicant())).status, 303, 'another account’s page takes posts')
  clock.advance(40 * 60_000)
  assert.equal((await post()).status, 303)
  clock.advance(HOUR)
})

test('a program with 5,000 waiting applications reads as closed until some are decided', async () => {
  const account = await anAccount(setUp)
  const slug = await openProgram(setUp, account)
  const group = { joinSlug: 'all' }
  expectOk(await setUp.api('PUT', `/groups/${account.id}`, { token: account.token, body: group }))
  const wait = (from: number, to: number) => db.run`
    insert into applications (id, account_id, status, first_name, last_name, email, created_at, updated_at)
    select gen_random_uuid(), ${account.id}, 'waiting', 'Ada', 'Byron', 'ada' || n || '@mail.example', ${db.now}, ${db.now}
    from generate_series(${from}::int, ${to}::int) n`
  await wait(1, 4999)
  const form = await visitPage(setUp, `/join/${slug}`)
  assert.match(form.html, /method="post"/)
  await wait(5000, 5000)
  const full = await sendForm(setUp, slug, anApplicant())
  assert.equal(full.status, 409)
  // the group's page is read immediately, the program's once its cached copy expires
  for (const { html } of [full, await visitPage(setUp, `/join/${slug}/all`)]) {
    assert.match(html, /We’re not taking applications right now\./)
    assert.doesNotMatch(html, /method="post"/)
  }
  const { status, body } = await setUp.api('POST', `/accounts/${account.id}/applications`, {
    token: account.token,
    body: { ...anApplicant(), emailConfirmed: true },
  })
  assert.deepEqual([status, body.error.reason], [409, 'applications_full'])
  const { items } = expectOk(
    await setUp.api('GET', `/accounts/${account.id}/applications`, { token: account.token }),
  ).body
  expectOk(
    await setUp.api('POST', `/accounts/${account.id}/applications/decisions`, {
      token: account.token,
      body: { ids: [items[0].id], decision: 'reject', reason: 'other', silent: true },
    }),
  )
  assert.equal((await sendForm(setUp, slug, anApplicant(), {})).status, 303)
})
