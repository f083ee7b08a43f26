import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PICTURE_BYTES } from '#contract/pictures.ts'
import { escapeHtml } from '#contract/prose.ts'
import { toPicture } from '#server/program/pictures/picture.ts'
import { verifyLedger } from '#server/program/stats/verify.ts'
import { anAccount, aPartner, expectOk, startApp, waitUntil } from '#test/support/app.ts'
import { openProgram, visitPage } from '#test/support/applications.ts'
import { aBlueprint } from '#test/support/links.ts'
import { aLargePicture, aPicture, base64, otherPictures } from '#test/support/pictures.ts'
import { encodePng } from '../../../demo/png.ts'

const secretKey = Buffer.alloc(32, 7)
const app = await startApp({ config: { secretKey } })
const twin = await startApp({ db: app.services.db, config: { secretKey } })
const { db } = app.services

type Body = Record<string, unknown>

async function aProgram(settings: object = {}) {
  const account = await anAccount(app, { name: 'Acme', ...settings })
  const partner = await aPartner(app, account, { firstName: 'Pia', referralCode: 'pia' }, { signIn: true })
  const send = async (method: string, path: string, body?: Body, token = account.token) => {
    const reply = await app.api(method, path, { token, body })
    return { ...reply, outcome: reply.body?.error ? `${reply.status} ${reply.body.error.reason}` : `${reply.status}` }
  }
  const call = async (method: string, path: string, body?: Body, token = account.token) =>
    expectOk(await app.api(method, path, { token, body })).body
  const add = (body: Body) => call('POST', `/accounts/${account.id}/assets`, { name: 'One', ...body })
  const brand = (body: Body) => send('PUT', `/accounts/${account.id}/brand`, body)
  const readAsPartner = async (token = partner.token, id = partner.id) =>
    (await call('GET', `/partners/${id}/assets`, undefined, token)).items
  return { account, partner, send, call, add, brand, readAsPartner }
}

const fetched = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

test('a picture is what its bytes say, and nothing else is one', () => {
  const { sha256: _, bytes: __, ...png } = toPicture(aPicture())!
  assert.deepEqual(png, { type: 'image/png', width: 40, height: 20 })
  for (const [type, bytes] of Object.entries(otherPictures))
    assert.deepEqual(
      [toPicture(bytes)?.type, toPicture(bytes)?.width, toPicture(bytes)?.height],
      [type, 40, 20],
      `${type} is read`,
    )
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
  for (const [what, bytes] of Object.entries({
    svg: Buffer.from(svg),
    'svg after a mark': Buffer.from(`\ufeff<?xml version="1.0"?>${svg}`),
    html: Buffer.from('<!doctype html><script>alert(1)</script>'),
    'a page that begins like a GIF': Buffer.from('GIF<script>alert(1)</script>'),
    'the first bytes of a PNG': aPicture().subarray(0, 12),
    'a PNG without a size': encodePng({ width: 0, height: 10 }, Buffer.alloc(0)),
    'a JPEG without a size': Buffer.from('\xff\xd8\xff\xe0\x00\x02\xff\xd9', 'latin1'),
    'a JPEG of endless segments': Buffer.concat([Buffer.from('\xff\xd8\xff', 'latin1'), Buffer.alloc(100_000, 0xff)]),
    'a WebP of nothing': Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1'),
    'a bitmap': Buffer.from('BM\0\0\0\0\0\0\0\0', 'latin1'),
    nothing: Buffer.alloc(0),
  }))
    assert.equal(toPicture(bytes), undefined, what)
})

test('a photo that is stored lying on its side has its sides as it is shown', () => {
  const jpeg = otherPictures['image/jpeg']!
  const exif = (orientation: number) =>
    Buffer.concat([
      Buffer.from('\xff\xe1\x00\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01', 'latin1'),
      Buffer.from([0, orientation, 0, 0, 0, 0, 0, 0]),
    ])
  for (const [orientation, width, height] of [
    [1, 40, 20],
    [3, 40, 20],
    [6, 20, 40],
    [8, 20, 40],
  ] as const) {
    const photo = toPicture(Buffer.concat([jpeg.subarray(0, 2), exif(orientation), jpeg.subarray(2)]))!
    assert.deepEqual([photo.width, photo.height], [width, height], `orientation ${orientation}`)
  }
})

test('any bytes are refused quickly', () => {
  for (const head of ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR', '\xff\xd8\xff\xe1', 'RIFF\xff\xff\xff\xffWEBPVP8X', 'GIF89a'])
    for (const filling of [0x00, 0xff, 0x41]) {
      const bytes = Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(999_000, filling)])
      const before = performance.now()
      for (let cut = 0; cut < 60; cut++) toPicture(bytes.subarray(0, cut))
      toPicture(bytes)
      assert.ok(performance.now() - before < 500, `${head} and ${filling}`)
    }
})

test('logos and pictures have at most their bytes and pixels', async () => {
  const { brand, send, account, add } = await aProgram()
  const logo = (bytes: Buffer) => brand({ logo: base64(bytes) })
  assert.equal((await logo(aLargePicture(PICTURE_BYTES.logo))).outcome, '200')
  assert.equal((await logo(aLargePicture(PICTURE_BYTES.logo + 1))).outcome, '422 picture_too_large')
  assert.equal(
    (await logo(encodePng({ width: 30_000, height: 30_000 }, Buffer.alloc(10)))).outcome,
    '422 picture_too_large',
  )
  assert.equal((await logo(encodePng({ width: 1, height: 4097 }, Buffer.alloc(10)))).outcome, '422 picture_too_large')
  assert.equal((await logo(encodePng({ width: 4096, height: 4096 }, Buffer.alloc(10)))).outcome, '200')
  const svg = await logo(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  assert.deepEqual(svg.body.error.fields, { logo: 'Use a PNG, JPEG, WebP or GIF up to 200 kB' })
  assert.equal((await brand({ logo: 'not base64!' })).status, 422)
  const image = (bytes: Buffer) =>
    send('POST', `/accounts/${account.id}/assets`, { kind: 'image', name: 'B', image: base64(bytes) })
  assert.equal((await image(aLargePicture(PICTURE_BYTES.asset + 1))).outcome, '422 picture_too_large')
  const largest = await add({ kind: 'image', image: base64(aLargePicture(PICTURE_BYTES.asset)) })
  assert.deepEqual([largest.width, largest.height], [100, 100])
})

test('a picture is answered with its type and runs nothing, whatever follows it', async () => {
  const { add } = await aProgram()
  const polyglot = Buffer.concat([aPicture(), Buffer.from('<html><script>alert(1)</script></html>')])
  const { imageUrl } = await add({ kind: 'image', image: base64(polyglot) })
  const { status, headers, bytes } = await fetched(imageUrl)
  assert.equal(status, 200)
  assert.deepEqual(bytes, polyglot)
  assert.deepEqual(
    ['content-type', 'x-content-type-options', 'content-security-policy', 'cache-control', 'content-length'].map(
      (name) => headers.get(name),
    ),
    ['image/png', 'nosniff', "default-src 'none'; sandbox", 'public, max-age=3600', `${polyglot.length}`],
  )
  assert.equal(headers.get('set-cookie'), null)
  const again = await fetched(imageUrl, { 'if-none-match': headers.get('etag')! })
  assert.deepEqual([again.status, again.bytes.length], [304, 0])
  const head = await fetch(imageUrl, { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, `${polyglot.length}`])
  for (const key of ['x', 'a'.repeat(22), `${'a'.repeat(20)}%00`, '..%2f..%2fetc'])
    assert.equal((await fetched(`${app.url}/files/${key}`)).status, 404, key)
})

test('a replaced picture keeps its address in every process; a deleted one is gone', async () => {
  const { add, call } = await aProgram()
  const { id, imageUrl } = await add({ kind: 'image', image: base64(aPicture()) })
  const { pathname } = new URL(imageUrl)
  const shownBy = async (on: typeof app) => (await fetched(`${on.url}${pathname}`)).bytes
  assert.deepEqual(await shownBy(twin), aPicture())
  const other = aPicture([200, 0, 0, 255])
  const changed = await call('PUT', `/assets/${id}`, { image: base64(other) })
  assert.equal(new URL(changed.imageUrl).pathname, pathname)
  assert.notEqual(changed.imageUrl, imageUrl)
  assert.deepEqual(await shownBy(app), other)
  await waitUntil(async () => (await shownBy(twin)).equals(other), 5000)
  await call('DELETE', `/assets/${id}`)
  assert.equal((await fetched(`${app.url}${pathname}`)).status, 404)
  await waitUntil(async () => (await fetched(`${twin.url}${pathname}`)).status === 404, 5000)
  assert.equal(await db.value`select count(*) from file_keys where key = ${pathname.split('/')[2]}`, 0)
})

test('a partner reads their own link, code and name in what there is to copy', async () => {
  const { account, partner, add, call, send, readAsPartner } = await aProgram()
  const text = await add({ kind: 'text', body: 'Hi {firstName}, {link} and {code}. {"json": 1} { color: red }' })
  await add({ kind: 'html', body: '<a href="{link}" title="{firstName}">{code}</a>' })
  await add({ kind: 'image', image: base64(aPicture()), alt: '"><script>alert(1)</script>' })
  assert.deepEqual(await readAsPartner(), [], 'there is no link without a template')
  const oldest = await aBlueprint(app, account)
  const other = await aBlueprint(app, account)
  const [filled, html, image] = await readAsPartner()
  const link = `${app.url}/r/${oldest.key}/pia`
  assert.equal(filled.text, `Hi Pia, ${link} and pia. {"json": 1} { color: red }`)
  assert.equal(html.html, `<a href="${link}" title="Pia">pia</a>`)
  assert.match(image.imageUrl, /\/files\/[\w-]{22}$/)
  assert.equal(
    image.html,
    `<a href="${link}"><img src="${image.imageUrl}" alt="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;" width="40" height="20"></a>`,
  )
  await call('PUT', `/assets/${text.id}`, { blueprintId: other.id, body: '{link}' })
  assert.equal((await readAsPartner())[0].text, `${app.url}/r/${other.key}/pia`)
  await call('PUT', `/link-blueprints/${other.id}`, { enabled: false })
  assert.equal((await readAsPartner())[0].text, link)

  const name = '<b>{code}</b> "&'
  await call('PUT', `/partners/${partner.id}`, { firstName: name })
  await call('PUT', `/assets/${text.id}`, { body: '{firstName}' })
  const [plain, escaped] = await readAsPartner()
  assert.equal(plain.text, name)
  assert.equal(escaped.html, `<a href="${link}" title="${escapeHtml(name)}">pia</a>`)
  await call('PUT', `/partners/${partner.id}`, { firstName: null })
  assert.equal((await readAsPartner())[0].text, 'there')

  const refused = await send('PUT', `/assets/${text.id}`, { body: 'Dear {lastName}' })
  assert.equal(refused.outcome, '422 unknown_placeholder')
  assert.deepEqual(refused.body.error.fields, { body: 'Use {link}, {code} and {firstName}, but not {lastName}' })
})

test('material for a group is for its partners alone, and that of another account for nobody', async () => {
  const { account, partner, add, call, send, readAsPartner } = await aProgram()
  const stranger = await aProgram()
  await aBlueprint(app, account)
  const gold = await call('POST', `/accounts/${account.id}/groups`, { name: 'Gold' })
  const forGold = await add({ kind: 'text', body: 'gold', groupId: gold.id })
  await add({ kind: 'text', body: 'default', groupId: account.id })
  await add({ kind: 'text', body: 'all' })
  const texts = async () => (await readAsPartner()).map(({ text }: { text: string }) => text)
  assert.deepEqual(await texts(), ['default', 'all'])
  await call('PUT', `/partners/${partner.id}`, { groupId: gold.id })
  assert.deepEqual(await texts(), ['gold', 'all'])
  const elsewhere = await aBlueprint(app, stranger.account)
  for (const [field, value, reason] of [
    ['groupId', stranger.account.id, 'unknown_group'],
    ['blueprintId', elsewhere.id, 'unknown_link'],
  ])
    assert.equal((await send('PUT', `/assets/${forGold.id}`, { [field!]: value })).outcome, `422 ${reason}`)
  for (const [method, body] of [['PUT', { name: 'x' }], ['DELETE']] as const) {
    const byOther = await send(method, `/assets/${forGold.id}`, body, stranger.account.token)
    assert.equal(byOther.outcome, '404 not_found')
    assert.equal((await send(method, `/assets/${forGold.id}`, body, partner.token)).outcome, '403 role_not_allowed')
  }
})

test('an asset has the fields of its kind', async () => {
  const { account, add, send, call } = await aProgram()
  const post = (body: Body) => send('POST', `/accounts/${account.id}/assets`, { name: 'One', ...body })
  const image = base64(aPicture())
  for (const [body, field] of [
    [{ kind: 'image' }, 'image'],
    [{ kind: 'image', image, body: 'x' }, 'body'],
    [{ kind: 'text', image, body: 'x' }, 'image'],
    [{ kind: 'html' }, 'body'],
    [{ kind: 'html', body: 'x'.repeat(5001) }, 'body'],
    [{ kind: 'text', body: 'x', name: 'n'.repeat(61) }, 'name'],
  ] as const) {
    const { status, body: answer } = await post(body)
    assert.deepEqual(
      [status, Object.keys(answer.error?.fields ?? {})],
      [422, [field]],
      JSON.stringify(body).slice(0, 80),
    )
  }
  const text = await add({ kind: 'text', body: 'x' })
  for (const field of ['image', 'alt'])
    assert.equal(
      (await send('PUT', `/assets/${text.id}`, { [field]: field === 'image' ? image : 'x' })).outcome,
      '422 field_not_of_kind',
    )
  const { imageUrl } = await add({ kind: 'image', image })
  assert.match(imageUrl, /\?v=[0-9a-f]{8}$/)
  const { items } = await call('GET', `/accounts/${account.id}/assets`)
  assert.deepEqual(
    items.map(({ kind }: { kind: string }) => kind),
    ['text', 'image'],
  )
})

test('an account has at most a hundred assets and 50 MB of pictures, however many are added at once', async () => {
  const { account, send, brand } = await aProgram()
  const post = (body: Body) => send('POST', `/accounts/${account.id}/assets`, { name: 'One', ...body })
  await db.run`
    insert into assets (id, account_id, kind, name, body, created_at, updated_at)
    select gen_random_uuid(), ${account.id}, 'text', 'x', 'x', ${db.now}, ${db.now} from generate_series(1, 98)`
  const added = await Promise.all([1, 2, 3, 4].map(() => post({ kind: 'text', body: 'x' })))
  assert.deepEqual(added.map(({ outcome }) => outcome).sort(), [
    ...['201', '201'],
    ...['409 too_many_assets', '409 too_many_assets'],
  ])
  await db.run`delete from assets where account_id = ${account.id}`
  const [first] = await Promise.all([post({ kind: 'image', image: base64(aLargePicture(1_000_000)) })])
  assert.equal(first.outcome, '201')
  await db.run`
    insert into files (id, account_id, purpose, key, sha256, type, width, height, bytes, created_at, updated_at)
    select gen_random_uuid(), account_id, purpose, left(md5(n || account_id::text), 22), sha256, type, width, height, bytes,
      created_at, updated_at
    from files, generate_series(1, 48) n where account_id = ${account.id}`
  const last = await Promise.all([1, 2, 3].map(() => post({ kind: 'image', image: base64(aLargePicture(600_000)) })))
  assert.deepEqual(last.map(({ outcome }) => outcome).sort(), ['201', '409 storage_full', '409 storage_full'])
  // in place of the present one there is room
  const replaced = await send('PUT', `/assets/${first.body.id}`, { image: base64(aLargePicture(900_000)) })
  assert.equal(replaced.outcome, '200')
  const tooMuch = await brand({ logo: base64(aLargePicture(200_000)), accent: '#123456' })
  assert.equal(tooMuch.outcome, '200')
  await db.run`delete from files where account_id = ${account.id} and purpose = 'asset' and not exists (
    select from assets a where a.account_id = files.account_id and a.file_id = files.id)`
  assert.deepEqual(await verifyLedger(db), [])
})

test('the page begins with the cover picture, which previews of its address show', async () => {
  const { account, brand } = await aProgram()
  const slug = await openProgram(app, account)
  const visit = async () => (await visitPage(app, `/join/${slug}`)).html
  const logo = (await brand({ logo: base64(aPicture()) })).body.logoUrl
  assert.ok((await visit()).includes('<div class="cover" aria-hidden="true"></div>'))
  const { coverUrl, logoUrl } = (await brand({ cover: base64(aPicture([9, 9, 9, 255])) })).body
  assert.equal(logoUrl, logo)
  const { pathname, search } = new URL(coverUrl)
  const html = await visit()
  assert.ok(html.includes(`<img class="cover" src="${pathname}${search}" alt="" width="40" height="20">`))
  assert.ok(html.includes(`<meta property="og:image" content="${coverUrl}">`))
  assert.ok(html.includes('<meta name="twitter:card" content="summary_large_image">'))
  assert.equal(html.includes('<div class="cover"'), false)
  const changed = (await brand({ cover: base64(aPicture([1, 2, 3, 255])) })).body.coverUrl
  assert.equal(new URL(changed).pathname, pathname)
  assert.ok((await visit()).includes(new URL(changed).search))
  const answer = await fetch(`${app.url}${pathname}`)
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png'])
  const tooLarge = await brand({ cover: base64(aLargePicture(PICTURE_BYTES.cover + 1)) })
  assert.equal(tooLarge.outcome, '422 picture_too_large')
  const svg = await brand({ cover: base64(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')) })
  assert.deepEqual(svg.body.error.fields, { cover: 'Use a PNG, JPEG, WebP or GIF up to 500 kB' })
  // both at once, each as large as it may be
  const both = { cover: base64(aLargePicture(PICTURE_BYTES.cover)), logo: base64(aLargePicture(PICTURE_BYTES.logo)) }
  assert.equal((await brand(both)).outcome, '200')
  const none = (await brand({ cover: null })).body
  assert.equal(none.coverUrl, null)
  assert.notEqual(none.logoUrl, null)
  assert.ok((await visit()).includes('<div class="cover" aria-hidden="true"></div>'))
  assert.ok((await visit()).includes(`<meta property="og:image" content="${none.logoUrl}">`))
  assert.equal((await fetch(`${app.url}${pathname}`)).status, 404)
})

test('partners and strangers see the logo and the color, the page too', async () => {
  const { account, partner, brand, call } = await aProgram()
  const { publicId } = await call('GET', `/accounts/${account.id}`)
  const slug = await openProgram(app, account)
  const publicly = async () => expectOk(await app.api('GET', `/brand?account=${publicId}`)).body
  const plain = {
    displayName: 'Acme',
    logoUrl: null,
    accent: null,
    language: 'en',
    programUrl: `${app.url}/join/${slug}`,
  }
  assert.deepEqual(await publicly(), { ...plain, signInUrl: `${app.url}/auth/sign-in` })
  const before = await visitPage(app, `/join/${slug}`)
  const { body } = await brand({ logo: base64(aPicture()), accent: '#FFD400' })
  assert.equal(body.accent, '#ffd400')
  const { pathname, search } = new URL(body.logoUrl)
  assert.match(pathname + search, /^\/files\/[\w-]{22}\?v=[0-9a-f]{8}$/)
  assert.deepEqual([(await publicly()).logoUrl, (await publicly()).accent], [body.logoUrl, '#ffd400'])
  const seen = await call('GET', `/accounts/${account.id}`, undefined, partner.token)
  assert.deepEqual([seen.logoUrl, seen.accent], [body.logoUrl, '#ffd400'])
  const { html, headers } = await visitPage(app, `/join/${slug}`)
  assert.ok(html.includes(`<img class="logo" src="${pathname}${search}" alt="" width="40" height="20">`))
  assert.ok(html.includes(`<meta property="og:image" content="${body.logoUrl}">`))
  assert.match(html, /--primary:#ffd400;--on-primary:#000000/)
  const styleOf = (policy: Headers) => /style-src ('sha256-[^']+')/.exec(policy.get('content-security-policy')!)![1]
  assert.notEqual(styleOf(headers), styleOf(before.headers))
  assert.equal(styleOf((await visitPage(app, `/join/${slug}/thanks`)).headers), styleOf(headers))

  const logo = base64(aPicture([9, 9, 9, 255]))
  const { body: changed } = await brand({ logo })
  assert.equal(new URL(changed.logoUrl).pathname, pathname)
  assert.notEqual(changed.logoUrl, body.logoUrl)
  const { body: none } = await brand({ logo: null, accent: null })
  assert.deepEqual([none.logoUrl, none.accent], [null, null])
  assert.equal((await fetched(`${app.url}${pathname}`)).status, 404)
  assert.equal((await visitPage(app, `/join/${slug}`)).html.includes('class="logo"'), false)
  for (const accent of ['red', '#fff', '#12345g', 'url(x)', '#123456;}'])
    assert.deepEqual((await brand({ accent })).body.error.fields, { accent: 'Enter a color such as #3347c4' })
  for (const unknown of ['unknown', '%00'])
    assert.equal((await app.api('GET', `/brand?account=${unknown}`)).status, 404)
  await app.services.db.run`update accounts set name = null where id = ${account.id}`
  assert.equal((await publicly()).displayName, null, 'never the owner’s e-mail')
})
