import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { freePort } from '../../../test/support/free-port.ts'
import { checkUserHeader, createOutbound, isAllowedAddress, OutboundError } from './outbound.ts'

const refusedUrls = [
  'http://example.com/hook',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/plain,hello',
  'example.com/hook',
  '//example.com/hook',
  '',
  'https://',
  'https://user@example.com/',
  'https://user:secret@example.com/',
  'https://example.com@127.0.0.1/',
  'https://127.0.0.1/',
  'https://8.8.8.8/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://0/',
  'https://127.0.0.1./',
  'https://１２７.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::7f00:1]/',
  'https://[2606:4700::1111]/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://intranet/',
  'https://intranet./',
  'https://printer.local/',
  'https://printer.LOCAL./',
  'https://metadata.google.internal/computeMetadata/v1/',
  'https://hooks.localhost/',
  'https://example.com:80/',
  'https://example.com:22/',
  'https://example.com:5432/',
  'https://exam\tple.com/',
  'https://example.com/\r\nHost: evil',
  ' https://example.com/',
  'https://exa mple.com/',
  `https://example.com/${'a'.repeat(2048)}`,
]
const takenUrls = [
  'https://example.com',
  'https://example.com:443/hook?a=b#c',
  'https://example.com:8443/hook',
  'https://EXAMPLE.com./hook',
  'https://local.example.com/',
  'https://internal-hooks.example/',
  'https://bücher.example/',
]

test('an address whose text is not public is refused before any DNS query', async () => {
  const hosts: string[] = []
  const resolve = async (host: string) => {
    hosts.push(host)
    return []
  }
  const outbound = createOutbound({ allowPrivate: false, resolve })
  for (const url of refusedUrls) {
    assert.equal(typeof outbound.checkUserUrl(url), 'string', url)
    await assert.rejects(outbound.userGiven(url), { kind: 'refused-address' }, url)
  }
  for (const url of takenUrls) assert.equal(outbound.checkUserUrl(url), null, url)
  assert.deepEqual(hosts, [])
  await outbound.close()
})

test('allowing private targets permits http, ports, literals and single labels, never metadata services', async () => {
  const outbound = createOutbound({ allowPrivate: true, resolve: async () => [] })
  for (const url of [
    'http://example.com/',
    'http://localhost:4000/hook',
    'http://127.0.0.1:4000/',
    'https://[::1]:4000/',
    'http://10.1.2.3/',
    'http://[fd12:3456::1]/',
    'http://intranet/',
    ...takenUrls,
  ])
    assert.equal(outbound.checkUserUrl(url), null, url)
  for (const url of [
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::169.254.169.254]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[2002:a9fe:a9fe::1]/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::a9fe:a9fe]/',
    'http://168.63.129.16/',
    'http://100.100.100.200/',
    'http://192.0.0.192/',
    'http://0.0.0.0/',
    'http://255.255.255.255/',
    'http://metadata.google.internal/',
    'http://user:secret@localhost/',
    'file:///etc/passwd',
  ])
    assert.equal(typeof outbound.checkUserUrl(url), 'string', url)
  await outbound.close()
})

describe('a list of private targets', () => {
  const targets = ['n8n', 'host.docker.internal', 'crm.local', '10.0.0.0/8', '192.168.1.7', 'fd12::/16']

  test('frees its hosts and networks alone from the rules of addresses', async () => {
    const outbound = createOutbound({ allowPrivate: targets, resolve: async () => [] })
    for (const url of [
      ...[
        'http://n8n:5678/webhook/1',
        'https://N8N/',
        'http://n8n./',
        'http://host.docker.internal:5678/',
        'http://crm.local/',
      ],
      ...['http://10.1.2.3:8080/', 'http://192.168.1.7/', 'http://[fd12:3456::1]/', 'http://[::ffff:10.1.2.3]/'],
      ...takenUrls,
    ])
      assert.equal(outbound.checkUserUrl(url), null, url)
    for (const url of [
      ...['http://n9n/', 'http://a.n8n/', 'http://n8n.example/', 'http://example.com/', 'https://example.com:444/'],
      ...['http://192.168.1.8/', 'http://11.0.0.1/', 'http://127.0.0.1/', 'http://localhost/', 'http://other.local/'],
      ...['http://169.254.169.254/', 'http://[fd13::1]/', 'http://user:secret@n8n/'],
    ])
      assert.equal(typeof outbound.checkUserUrl(url), 'string', url)
    await outbound.close()
  })

  test('is compared by the name, and by each address that a name leads to', async () => {
    const leading = async (url: string, ...addresses: string[]) => {
      const outbound = createOutbound({ allowPrivate: [...targets, '127.0.0.0/24'], resolve: async () => addresses })
      const error = await outbound.userGiven(url, { timeoutMs: 400 }).then(
        () => null,
        (thrown: OutboundError) => thrown,
      )
      await outbound.close()
      return error?.kind
    }
    const port = await freePort()
    assert.equal(
      await leading(`http://n8n:${port}/`, '127.0.1.1'),
      'network',
      'a listed name may lead anywhere private',
    )
    assert.equal(await leading('https://crm.example:8443/', '127.0.0.1'), 'network', 'an address of a listed network')
    assert.equal(await leading('https://crm.example:8443/', '127.0.1.1'), 'refused-address')
    assert.equal(await leading('https://crm.example:8443/', '127.0.0.1', '192.168.1.8'), 'refused-address')
    assert.equal(await leading(`http://n8n:${port}/`, '169.254.169.254'), 'refused-address')
    assert.equal(await leading(`http://n8n:${port}/`, '168.63.129.16'), 'refused-address')
  })
})

const notPublic = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1'],
  ...['172.31.255.255', '192.0.0.1', '192.0.2.1', '192.168.1.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
  ...['224.0.0.1', '240.0.0.1', '255.255.255.255', '168.63.129.16', '100.100.100.200'],
  ...['::', '::1', '::7f00:1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:0:127.0.0.1'],
  ...['64:ff9b::7f00:1', '64:ff9b:1::a00:1', '100::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '2002:808:808::'],
  ...['3fff::1', '5f00::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '4000::1'],
  ...['not an address', ''],
]

test('only addresses of the public internet are reachable', () => {
  for (const address of notPublic) assert.equal(isAllowedAddress(address, false), false, address)
  for (const address of ['1.1.1.1', '8.8.8.8', '172.15.0.1', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::200e'])
    assert.equal(isAllowedAddress(address, false), true, address)
})

test('a name is refused when any of its addresses is not public, in any position', async () => {
  for (const address of notPublic)
    for (const answer of [[address], ['93.184.215.14', address], [address, '2606:4700::1111']]) {
      const outbound = createOutbound({ allowPrivate: false, resolve: async () => answer })
      await assert.rejects(
        outbound.userGiven('https://hooks.example.com/'),
        { kind: 'refused-address' },
        String(answer),
      )
      await outbound.close()
    }
})

test('a name whose DNS response changes is checked again at every attempt, and resolved once in each', async (t) => {
  const { port, requests } = await aServer(t, (_, response) => response.end('ok'))
  const answers = [['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1', 'fe80::1']]
  let lookUps = 0
  const outbound = createOutbound({ allowPrivate: true, resolve: async () => answers[lookUps++]! })
  const url = `http://hooks.example.com:${port}/`
  assert.equal((await outbound.userGiven(url)).status, 200)
  await assert.rejects(outbound.userGiven(url), { kind: 'refused-address' })
  await assert.rejects(outbound.userGiven(url), { kind: 'refused-address' })
  assert.equal(lookUps, 3)
  assert.equal(requests.length, 1)
  await outbound.close()
})

test('the request arrives complete: method, path, query, host, headers, body; cookies are not stored', async (t) => {
  const { port, requests } = await aServer(t, (_, response) => {
    response.setHeader('set-cookie', ['a=1', 'b=2']).end('grüezi')
  })
  const outbound = createOutbound({ allowPrivate: true, resolve: async () => ['127.0.0.1'] })
  const send = () =>
    outbound.userGiven(`http://hooks.example.com:${port}/in?x=1#part`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'webhook-id': 'm1' },
      body: '{"a":"ü"}',
    })
  const answer = await send()
  await send()
  assert.deepEqual(answer, { ...answer, status: 200, text: 'grüezi', truncated: false })
  assert.equal(answer.headers['set-cookie'], 'a=1, b=2')
  const [first, second] = requests
  assert.equal(`${first?.method} ${first?.url} ${first?.body}`, 'POST /in?x=1 {"a":"ü"}')
  assert.equal(first?.headers.host, `hooks.example.com:${port}`)
  assert.equal(first?.headers['webhook-id'], 'm1')
  assert.equal(second?.headers.cookie, undefined)
  await outbound.close()
})

test('redirects are returned, not followed', async (t) => {
  const inner = await aServer(t, (_, response) => response.end('secret'))
  for (const status of [301, 302, 303, 307, 308]) {
    const outer = await aServer(t, (_, response) =>
      response.writeHead(status, { location: `http://127.0.0.1:${inner.port}/` }).end(),
    )
    const outbound = createOutbound({ allowPrivate: true })
    assert.equal((await outbound.userGiven(`http://127.0.0.1:${outer.port}/`)).status, status)
    assert.equal((await outbound.provider(`http://127.0.0.1:${outer.port}/`)).status, status)
    await outbound.close()
  }
  assert.deepEqual(inner.requests, [])
})

test('proxies from the environment are not used', async (t) => {
  const { port } = await aServer(t, (_, response) => response.end('direct'))
  const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'NODE_USE_ENV_PROXY']
  for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : 'http://127.0.0.1:9/'
  t.after(() => {
    for (const name of names) delete process.env[name]
  })
  const outbound = createOutbound({ allowPrivate: true })
  assert.equal((await outbound.userGiven(`http://127.0.0.1:${port}/`)).text, 'direct')
  assert.equal((await outbound.provider(`http://127.0.0.1:${port}/`)).text, 'direct')
  await outbound.close()
})

test('only the first bytes of a large body are read; such a response from a provider is refused', async (t) => {
  let sent = 0
  const { port } = await aServer(t, (_, response) => {
    const chunk = Buffer.alloc(65_536, 'é')
    const pump = () => {
      while (!response.destroyed && sent < 200_000_000) {
        sent += chunk.length
        if (!response.write(chunk)) return response.once('drain', pump)
      }
      return response.end()
    }
    pump()
  })
  const outbound = createOutbound({ allowPrivate: true })
  const answer = await outbound.userGiven(`http://127.0.0.1:${port}/`, { maxBytes: 1001 })
  assert.equal(answer.truncated, true)
  assert.equal(answer.text, 'é'.repeat(500))
  await assert.rejects(outbound.provider(`http://127.0.0.1:${port}/`), { kind: 'too-large' })
  assert.ok(sent < 100_000_000, `${sent} bytes were sent`)
  const exact = await aServer(t, (_, response) => response.end('x'.repeat(1001)))
  const whole = await outbound.userGiven(`http://127.0.0.1:${exact.port}/`, { maxBytes: 1001 })
  assert.deepEqual([whole.text.length, whole.truncated], [1001, false])
  await outbound.close()
})

test('silence, slow headers and slow bodies all end at the time limit', async (t) => {
  const drip = (start: string) => async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.write(start)
      const timer = setInterval(() => socket.write('x'), 20)
      socket.on('close', () => clearInterval(timer))
    })
    return listen(t, server)
  }
  const outbound = createOutbound({ allowPrivate: true })
  for (const start of [
    async () => (await aServer(t, () => {})).port,
    drip('HTTP/1.1 200 OK\r\nx: '),
    drip('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n'),
  ]) {
    const port = await start()
    const before = performance.now()
    await assert.rejects(outbound.userGiven(`http://127.0.0.1:${port}/`, { timeoutMs: 200 }), { kind: 'timeout' })
    await assert.rejects(outbound.provider(`http://127.0.0.1:${port}/`, { timeoutMs: 200 }), { kind: 'timeout' })
    assert.ok(performance.now() - before < 10_000)
  }
  await outbound.close()
})

test('an attempt whose name server is silent or has no address ends with an explanation', async () => {
  const silent = createOutbound({ allowPrivate: false, resolve: () => new Promise(() => {}) })
  const before = performance.now()
  await assert.rejects(silent.userGiven('https://hooks.example.com/'), { kind: 'timeout' })
  assert.ok(performance.now() - before < 10_000)
  await assert.rejects(silent.userGiven('https://hooks.example.com/', { timeoutMs: 100 }), { kind: 'timeout' })
  const unknown = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' })
  for (const resolve of [async () => [], () => Promise.reject(unknown)]) {
    const outbound = createOutbound({ allowPrivate: false, resolve })
    await assert.rejects(outbound.userGiven('https://hooks.example.com/'), {
      kind: 'network',
      message: 'The host name hooks.example.com can’t be found.',
    })
  }
})

test('a refused or broken connection is a network error that names the host; the next address is tried', async (t) => {
  const { port } = await aServer(t, (_, response) => response.end('second'))
  const closed = await aServer(t, () => {})
  await new Promise((done) => closed.server.close(done))
  const reset = await listen(
    t,
    createTcpServer((socket) => socket.resetAndDestroy()),
  )
  const outbound = createOutbound({ allowPrivate: true })
  for (const url of [`http://127.0.0.1:${closed.port}/`, `http://127.0.0.1:${reset}/`])
    for (const call of [outbound.userGiven, outbound.provider])
      await assert.rejects(call(url), (error: OutboundError) => {
        assert.ok(error instanceof OutboundError)
        assert.equal(error.kind, 'network')
        assert.match(error.message, /127\.0\.0\.1:\d+ failed/)
        return true
      })
  const several = createOutbound({ allowPrivate: true, resolve: async () => ['127.0.0.2', '127.0.0.1'] })
  assert.equal((await several.userGiven(`http://hooks.example.com:${port}/`)).text, 'second')
  await outbound.close()
})

test('TLS verifies the name that was entered, whatever address is dialed', async (t) => {
  const { cert, key } = selfSigned('hooks.example.com')
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, cert])
  t.after(() => setDefaultCACertificates(before))
  const serverNames: unknown[] = []
  const server = createTlsServer({ cert, key }, (request, response) => {
    serverNames.push((request.socket as { servername?: string }).servername)
    response.end('private words')
  })
  const port = await listen(t, server)
  const outbound = createOutbound({ allowPrivate: true, resolve: async () => ['127.0.0.1'] })
  assert.equal((await outbound.userGiven(`https://hooks.example.com:${port}/`)).text, 'private words')
  assert.equal((await outbound.userGiven(`https://hooks.example.com.:${port}/`)).text, 'private words')
  for (const host of ['other.example.com', '127.0.0.1'])
    await assert.rejects(outbound.userGiven(`https://${host}:${port}/`), (error: OutboundError) => {
      assert.equal(error.kind, 'network')
      assert.match(error.message, /certificate/)
      return true
    })
  assert.deepEqual(serverNames, ['hooks.example.com', 'hooks.example.com'])
  setDefaultCACertificates(before)
  await assert.rejects(outbound.userGiven(`https://hooks.example.com:${port}/`), { kind: 'network' })
  await outbound.close()
})

test('TXT records arrive whole, however many there are; none are no error, a silent name server is one', async (t) => {
  const many = Array.from({ length: 200 }, (_, at) => `value ${at} `.padEnd(300, 'x'))
  const nameServer = await aNameServer(t, { '_tributary.many.example': many, '_tributary.one.example': ['a=b'] })
  const outbound = createOutbound({ allowPrivate: false, nameServers: [nameServer] })
  assert.deepEqual(await outbound.texts('_tributary.many.example'), many)
  assert.deepEqual(await outbound.texts('_tributary.one.example'), ['a=b'])
  assert.deepEqual(await outbound.texts('_tributary.unknown.example'), [])
  assert.deepEqual(await outbound.texts('_tributary.silent.invalid'), [])
  await assert.rejects(outbound.texts('_tributary.broken.example'), {
    kind: 'network',
    message: 'The name servers of _tributary.broken.example could not answer (ESERVFAIL).',
  })
  const before = performance.now()
  await assert.rejects(outbound.texts('_tributary.silent.example'), {
    kind: 'timeout',
    message: 'No name server answered for _tributary.silent.example in time.',
  })
  assert.ok(performance.now() - before < 10_000)
})

test('custom headers may not replace those of the message, connection or signature, nor contain line breaks', () => {
  for (const name of ['Host', 'connection', 'Transfer-Encoding', 'TE', 'upgrade', 'Content-Type', 'content-length'])
    assert.equal(typeof checkUserHeader(name, 'x'), 'string', name)
  for (const name of ['webhook-signature', 'Webhook-Id', 'Proxy-Authorization', 'a b', 'a:b', '', 'ü', 'a\r\nb'])
    assert.equal(typeof checkUserHeader(name, 'x'), 'string', name)
  for (const value of ['a\r\nx: y', 'a\nb', 'a\u0000', 'a\u2028b', '🙂'])
    assert.equal(typeof checkUserHeader('X-Key', value), 'string', value)
  assert.equal(checkUserHeader('X-Api-Key', 'Bearer abc=='), null)
  assert.equal(checkUserHeader('Authorization', 'Basic eDp5'), null)
})

type Received = { method?: string; url?: string; headers: Record<string, unknown>; body: string }

/** Starts a server on loopback that records its requests. */
async function aServer(t: TestContext, answer: RequestListener) {
  const requests: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    requests.push({ method: request.method, url: request.url, headers: request.headers, body })
    answer(request, response)
  })
  return { server, port: await listen(t, server), requests }
}

async function listen(t: TestContext, server: ReturnType<typeof createTcpServer> | Server) {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Creates a certificate for one name, encoded in DER by hand, so that none is in the repository and expires. */
function selfSigned(host: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const der = (tag: number, ...parts: Uint8Array[]) => {
    const body = Buffer.concat(parts)
    const size = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255]
    return Buffer.concat([Buffer.from([tag, ...size]), body])
  }
  const hex = (text: string) => Buffer.from(text, 'hex')
  const name = der(0x30, der(0x31, der(0x30, hex('0603550403'), der(0x0c, Buffer.from(host)))))
  const time = (days: number) => {
    const text = new Date(Date.now() + days * 86_400_000).toISOString().replace(/[-:T]|\.\d+/g, '')
    return der(0x17, Buffer.from(text.slice(2)))
  }
  const ecdsaWithSha256 = der(0x30, hex('06082a8648ce3d040302'))
  const alternativeNames = der(0x30, der(0x82, Buffer.from(host)))
  const extension = der(0x30, hex('0603551d11'), der(0x04, alternativeNames))
  const content = der(
    0x30,
    der(0xa0, hex('020102')),
    hex('020101'),
    ecdsaWithSha256,
    name,
    der(0x30, time(-1), time(1)),
    name,
    (publicKey as KeyObject).export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, extension)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey))
  const body = der(0x30, content, ecdsaWithSha256, signature).toString('base64').replace(/.{64}/g, '$&\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }
}

/**
 * A name server on loopback with these TXT records. Answers that are too long for UDP are sent over TCP. Names that
 * begin with `_tributary.broken` fail, and those with `_tributary.silent` get no answer.
 */
async function aNameServer(t: TestContext, records: Record<string, string[]>) {
  const answer = (query: Buffer, most: number): Buffer | null => {
    const labels: string[] = []
    let end = 12
    for (let length = query[end]!; length > 0; length = query[end]!) {
      labels.push(query.toString('latin1', end + 1, end + 1 + length))
      end += length + 1
    }
    end += 5
    const name = labels.join('.').toLowerCase()
    if (name.startsWith('_tributary.silent')) return null
    const values = records[name] ?? []
    const code = name.startsWith('_tributary.broken') ? 2 : values.length > 0 ? 0 : 3
    const rows = values.map((value) => {
      const bytes = Buffer.from(value)
      const pieces = Array.from({ length: Math.ceil(bytes.length / 255) }, (_, at) => {
        const piece = bytes.subarray(at * 255, at * 255 + 255)
        return Buffer.concat([Buffer.from([piece.length]), piece])
      })
      const data = Buffer.concat(pieces)
      const head = Buffer.from('c00c00100001000000000000', 'hex')
      head.writeUInt16BE(data.length, 10)
      return Buffer.concat([head, data])
    })
    const isWhole = rows.reduce((sum, row) => sum + row.length, end) <= most
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(0x8180 | (isWhole ? 0 : 0x200) | code, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(isWhole ? rows.length : 0, 6)
    return Buffer.concat([header, query.subarray(12, end), ...(isWhole ? rows : [])])
  }
  const overTcp = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (asked) => {
      const answered = answer(asked.subarray(2), 65_000)
      if (!answered) return
      const length = Buffer.alloc(2)
      length.writeUInt16BE(answered.length)
      socket.end(Buffer.concat([length, answered]))
    })
  })
  const port = await listen(t, overTcp)
  const overUdp = createSocket('udp4', (asked, from) => {
    const answered = answer(asked, 512)
    if (answered) overUdp.send(answered, from.port, from.address)
  })
  await new Promise<void>((done) => overUdp.bind(port, '127.0.0.1', done))
  t.after(() => overUdp.close())
  return `127.0.0.1:${port}`
}
