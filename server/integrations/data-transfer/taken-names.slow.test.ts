import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, expectOk, startApp } from '../../../test/support/app.ts'
import { exportArchive } from '../../../test/support/archives.ts'
import { aPicture, base64 } from '../../../test/support/pictures.ts'
import { importAccount } from './import-account.ts'

test('the address of a page and of pictures is made anew and reported if another account has it', async () => {
  const [here, there] = [await startApp(), await startApp()]
  const account = await anAccount(here)
  const call = async (method: string, path: string, body: object) =>
    expectOk(await here.api(method, path, { token: account.token, body })).body
  const slug = 'a'.repeat(40)
  await call('PUT', `/accounts/${account.id}/program`, { state: 'open', slug })
  await call('POST', `/accounts/${account.id}/groups`, { name: 'Gold', joinSlug: 'gold' })
  const { logoUrl } = await call('PUT', `/accounts/${account.id}/brand`, { logo: base64(aPicture()) })
  const { path } = await exportArchive(here.services.db, account.id)

  for (const taken of [slug, `${slug.slice(0, 38)}-2`]) {
    const other = await anAccount(there)
    const body = { state: 'open', slug: taken }
    expectOk(await there.api('PUT', `/accounts/${other.id}/program`, { token: other.token, body }))
    await there.services.db.run`
      insert into file_keys (key, account_id, created_at)
      values (${new URL(logoUrl).pathname.split('/').at(-1)!}, ${other.id}, now())
      on conflict do nothing`
  }
  const { program, renamedPictures } = await importAccount(there.services.db, there.services, path)
  const next = `${slug.slice(0, 38)}-3`
  assert.deepEqual(program, { former: slug, slug: next })
  assert.equal(renamedPictures, 1)
  assert.equal((await fetch(`${there.url}/join/${next}/gold`)).status, 200, 'the page is as open as it was')
  const { changes } = await there.services.db.one<{ changes: object }>`
    select data -> 'changes' as changes from events where account_id = ${account.id} and type = 'account.imported'`
  assert.deepEqual(changes, { slug: { old: slug, new: next } })

  const free = await startApp()
  const kept = await importAccount(free.services.db, free.services, path)
  assert.deepEqual([kept.program, kept.renamedPictures], [null, 0])
  assert.equal((await fetch(`${free.url}/join/${slug}/gold`)).status, 200)
})

test('accounts that sell products of the same name move to the same server', async () => {
  const [here, there] = [await startApp(), await startApp()]
  for (const account of [await anAccount(here), await anAccount(here)]) {
    const call = async (path: string, body: object) =>
      expectOk(await here.api('POST', path, { token: account.token, body })).body
    const lead = await call(`/accounts/${account.id}/leads`, { email: 'ann@mail.example' })
    await call(`/leads/${lead.id}/sales`, { amount: 10_00, lines: [{ sku: 'monthly', amount: 10_00 }] })
    await importAccount(there.services.db, there.services, (await exportArchive(here.services.db, account.id)).path)
  }
  const seen = await there.services.db.many<{ id: string }>`select id from products_seen`
  assert.deepEqual(
    seen.map(({ id }) => id),
    ['monthly', 'monthly'],
  )
})
