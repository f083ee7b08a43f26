import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildRecipe, ownTag, sites } from './own-domain.ts'
import { addressIn } from './recipes.ts'

const named = 'https://partners.acme.example/s/acme'
const byId = 'https://partners.acme.example/embed/Pub_1'

test('the address is read from the snippet, and the page’s own tag sends to its host', () => {
  assert.equal(addressIn(`<script async src="${named}.js"></script>`), named)
  assert.equal(ownTag(named), '<script async\nsrc="/acme.js"\ndata-endpoint="/acme">\n</script>')
  assert.match(ownTag(byId), /src="\/Pub_1\.js"\ndata-endpoint="\/Pub_1"/)
})

test('every recipe forwards the script and its requests, without the visitor’s cookies if the server allows it', () => {
  for (const address of [named, byId]) {
    const name = address.split('/').at(-1)
    for (const site of sites) {
      const text = buildRecipe(site, address)
      assert.ok(text.includes(`/${name}.js`) && text.includes(`/${name}/`), `${site} ${address}`)
      assert.ok(text.includes('https://partners.acme.example'), site)
      if (site !== 'next') assert.match(text, /cookie/i, site)
    }
  }
  assert.match(
    buildRecipe('nginx', named),
    /location = \/acme\.js \{\n {2}proxy_pass https:\/\/partners\.acme\.example\/s\/acme\.js;/,
  )
  assert.match(
    buildRecipe('caddy', named),
    /rewrite \* \/s\{uri\}\n {2}reverse_proxy https:\/\/partners\.acme\.example \{/,
  )
  assert.match(
    buildRecipe('next', byId),
    /source: '\/Pub_1\/:what', destination: 'https:\/\/partners\.acme\.example\/embed\/Pub_1\/:what'/,
  )
})

test('the worker works as documented', async (t) => {
  const requests: Request[] = []
  t.mock.method(globalThis, 'fetch', async (url: string, init: RequestInit) => {
    requests.push(new Request(url, { ...init, ...(init.body && { duplex: 'half' }) } as RequestInit))
    return new Response()
  })
  const code = encodeURIComponent(buildRecipe('cloudflare', named))
  const worker = (await import(`data:text/javascript,${code}`)) as { default: { fetch(request: Request): unknown } }
  const headers = { cookie: 'session=secret', 'cf-connecting-ip': '203.0.113.9', origin: 'https://acme.example' }
  await worker.default.fetch(new Request('https://acme.example/acme/leads', { method: 'POST', body: '{}', headers }))
  await worker.default.fetch(new Request('https://acme.example/acme.js', { headers }))
  assert.deepEqual(
    requests.map(({ method, url, headers }) => [method, url, headers.get('x-forwarded-for'), headers.get('cookie')]),
    [
      ['POST', `${named}/leads`, '203.0.113.9', null],
      ['GET', `${named}.js`, '203.0.113.9', null],
    ],
  )
  assert.equal(await requests[0]!.text(), '{}')
})
