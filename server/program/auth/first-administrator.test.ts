import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMINISTRATOR, anEmail, expectOk, PASSWORD, startApp, tokenInLink } from '../../../test/support/app.ts'
import { newId } from '../../platform/database/ids.ts'
import { prepareFirstAdministrator } from './first-administrator.ts'
import { hashPassword } from './passwords.ts'

test('ADMIN_EMAIL and ADMIN_PASSWORD create one administrator, also with two processes at once', async () => {
  const app = await startApp()
  const links = await Promise.all([1, 2, 3].map(() => prepareFirstAdministrator(app.services)))
  assert.deepEqual(links, [null, null, null])
  assert.equal(await prepareFirstAdministrator(app.services), null)
  const { body } = expectOk(await app.api('POST', '/auth/sign-in', { body: ADMINISTRATOR }))
  const me = expectOk(await app.api('GET', '/users/me', { token: body.accessToken })).body
  assert.deepEqual([me.email, me.roles], [ADMINISTRATOR.email, [{ type: 'admin' }]])
  const { count } = await app.services.db.one<{ count: number }>`select count(*) as count from user_roles`
  assert.equal(count, 1)
})

test('another ADMIN_EMAIL while there is an administrator is logged and changes nothing', async () => {
  const warnings: unknown[] = []
  const app = await startApp()
  await prepareFirstAdministrator(app.services)
  const log = Object.assign(Object.create(app.services.log), { warn: (line: unknown) => warnings.push(line) })
  const firstAdministrator = { ...ADMINISTRATOR, email: anEmail('other') }
  const services = { ...app.services, log, config: { ...app.services.config, firstAdministrator } }
  assert.equal(await prepareFirstAdministrator({ ...services, config: app.services.config }), null)
  assert.deepEqual(warnings, [])
  assert.equal(await prepareFirstAdministrator(services), null)
  assert.match(String(warnings), /^ADMIN_EMAIL is ignored/)
  assert.equal((await app.api('POST', '/auth/sign-in', { body: firstAdministrator })).status, 401)
})

test('an existing password is accepted for the administrator only if they proved to own the mailbox', async () => {
  const app = await startApp()
  await app.services.db.run`
    insert into users (id, email, password_hash, created_at, updated_at)
    values (${newId()}, ${ADMINISTRATOR.email}, ${await hashPassword(app.services.config, PASSWORD)}, now(), now())`
  const before = expectOk(
    await app.api('POST', '/auth/sign-in', { body: { email: ADMINISTRATOR.email, password: PASSWORD } }),
  )
  await app.services.db.run`
    insert into passkeys (id, user_id, rp_id, credential_id, public_key, counter, transports, name, created_at)
    select ${newId()}, id, 'localhost', 'one', 'key', 0, '{}', 'Key', now() from users where email = ${ADMINISTRATOR.email}`
  await prepareFirstAdministrator(app.services)
  assert.equal((await app.api('GET', '/accounts', { token: before.body.accessToken })).status, 401)
  expectOk(await app.api('POST', '/auth/sign-in', { body: ADMINISTRATOR }))
})

test('without them every start prints a new link, which sets up one administrator', async () => {
  const app = await startApp({ config: { firstAdministrator: null } })
  const first = await prepareFirstAdministrator(app.services)
  const link = await prepareFirstAdministrator(app.services)
  assert.ok(first && link && link !== first)
  assert.ok(link.startsWith(`${app.url}/user-setup#token=`))
  const setUp = (url: string, body: object) =>
    app.api('POST', '/auth/change-password', { token: tokenInLink(url), body })

  const seen = expectOk(await app.api('GET', '/auth/user-setup', { token: tokenInLink(link) })).body
  assert.deepEqual(seen, {
    email: null,
    firstName: null,
    lastName: null,
    accountName: null,
    invitedBy: null,
    status: 'valid',
  })
  const dead = await setUp(first, { email: anEmail(), password: PASSWORD })
  assert.deepEqual([dead.status, dead.body.error.code], [401, 'token_expired'])
  const nameless = await setUp(link, { password: PASSWORD })
  assert.deepEqual([nameless.status, nameless.body.error.fields], [422, { email: 'Email is required' }])

  const email = anEmail('admin')
  const { body } = expectOk(await setUp(link, { email, password: PASSWORD }))
  const me = expectOk(await app.api('GET', '/users/me', { token: body.accessToken })).body
  assert.deepEqual([me.email, me.roles], [email, [{ type: 'admin' }]])
  assert.equal((await setUp(link, { email: anEmail(), password: PASSWORD })).body.error.code, 'token_expired')
  assert.equal((await app.api('GET', '/auth/user-setup', { token: tokenInLink(link) })).body.status, 'used')
  assert.equal(await prepareFirstAdministrator(app.services), null)
})
