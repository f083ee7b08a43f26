import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workOff } from '../demo/drain-jobs.ts'
import { anAccount, expectOk, sendRequest } from './support/app.ts'
import {
  accountId,
  app,
  bodies,
  buildAddress,
  calls,
  type JsonSchema,
  listBodySchemas,
  publicId,
  setBack,
  tokenFor,
  withField,
} from './support/every-call.ts'
import { LONGEST_HOLD_MS, longestHold } from './support/hold.ts'
import { costlyTexts, wideBodies } from './support/hostile.ts'

// One call holds the server for a quarter of a second at most, whatever its body: every call of the contract, and every
// other door that takes a body, gets the largest ones that it accepts, of texts that are costly to read.

/** Returns JSON as large as the schema allows, within this many bytes. */
function largest(schema: JsonSchema, bytes: number, text: (length: number) => string): unknown {
  const kinds = schema.anyOf ?? schema.oneOf
  if (kinds) return largest(kinds.find(({ type }) => type !== 'null') ?? {}, bytes, text)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'array') {
    const most = Math.min(schema.maxItems ?? 10_000, 10_000)
    const each = largest(schema.items ?? {}, Math.max(1, Math.floor(bytes / most) - 4), text)
    return Array(Math.max(1, Math.min(most, Math.floor(bytes / (JSON.stringify(each).length + 1))))).fill(each)
  }
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {})
    if (fields.length > 0)
      return Object.fromEntries(
        fields.map(([key, inner]) => [key, largest(inner, Math.floor(bytes / fields.length) - key.length - 4, text)]),
      )
    return Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`key ${at}`, text(Math.min(1000, Math.floor(bytes / 60)))]),
    )
  }
  if (schema.type === 'integer' || schema.type === 'number') return schema.maximum ?? 1
  if (schema.type === 'boolean') return true
  return text(Math.max(0, Math.min(schema.maxLength ?? bytes, bytes)))
}

/** A costly text of at most this many characters, and as many bytes of JSON. */
const fitted = (kind: string) => (length: number) => {
  const whole = costlyTexts(length)[kind]!
  const bytes = Buffer.byteLength(JSON.stringify(whole)) - 2
  return bytes <= length ? whole.slice(0, length) : whole.slice(0, Math.floor((length * whole.length) / bytes))
}
const kinds = Object.keys(costlyTexts(1))

type Sending = { method: string; url: string; token?: string | null; type?: string; body: string | Buffer }

/** Sends a body; if it holds the server for too long, again, as garbage of others may be collected meanwhile. */
async function holdOf({ method, url, token, type = 'application/json', body }: Sending): Promise<number> {
  const headers = { ...(token && { authorization: `Bearer ${token}` }), 'content-type': type }
  let least = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < 4 && least > LONGEST_HOLD_MS; turn++)
    least = Math.min(least, await longestHold(() => sendRequest(url, { method, headers, body })))
  return least
}

/** Sends a body; returns the mistake if it holds the server for too long. */
async function holdsBriefly(what: string, sending: Sending) {
  const ms = await holdOf(sending)
  return ms > LONGEST_HOLD_MS ? [`${what} holds the server for ${Math.round(ms)} ms`] : []
}

const hasText = (json: string) => /"[^"]{50}/.test(json)

test('no body of a call of the contract holds the server', async () => {
  const long: string[] = []
  for (const endpoint of calls.filter(({ body }) => body)) {
    const { name, method, maxBytes = 256_000 } = endpoint
    const to = { method, url: buildAddress(endpoint), token: tokenFor(endpoint) }
    const base = bodies[name]!()
    const left = maxBytes - JSON.stringify(base).length - 1000
    for (const [key, schema] of listBodySchemas(endpoint.body)) {
      for (const kind of kinds) {
        const json = JSON.stringify(largest(schema, left, fitted(kind)))
        long.push(
          ...(await holdsBriefly(`${name} with ${key} of ${kind}`, {
            ...to,
            body: withField(bodies[name]!(), key, json),
          })),
        )
        if (!hasText(json)) break
      }
    }
    for (const [kind, body] of wideBodies(maxBytes))
      long.push(...(await holdsBriefly(`${name} with ${kind}`, { ...to, body })))
    await setBack(endpoint)
  }
  assert.deepEqual(long, [])
})

test('no rows of a call for many hold the server', async () => {
  const long: string[] = []
  for (const endpoint of calls.filter(({ name }) => /^push(Leads|Sales|Refunds)$/.test(name))) {
    const { name, method, maxBytes = 256_000 } = endpoint
    const to = { method, url: buildAddress(endpoint), token: tokenFor(endpoint) }
    for (const kind of kinds) {
      const row = Object.fromEntries(
        [...listBodySchemas(endpoint.body)]
          .filter(([key]) => !key.includes('.'))
          .map(([key, schema]) => [key, largest(schema, 1000, fitted(kind))]),
      )
      const rows = Array.from({ length: 100 }, (_, at) => ({ ...row, ...bodies[name]!(), externalId: `${kind} ${at}` }))
      const body = JSON.stringify(rows)
      if (body.length <= maxBytes) long.push(...(await holdsBriefly(`${name}, 100 rows of ${kind}`, { ...to, body })))
    }
  }
  assert.deepEqual(long, [])
})

const repeated = (piece: string, bytes: number) => piece.repeat(Math.floor(bytes / Buffer.byteLength(piece)))

/** Files of many small parts. */
const csvFiles = (bytes: number, header: string, line: string): Record<string, string> => ({
  lines: `${header}\n${repeated(`${line}\n`, bytes)}`,
  'empty lines': `${header}\n${repeated('\n', bytes)}`,
  commas: `${header}\n${repeated(',', bytes)}`,
  'columns without a name': `${header}${repeated(',', bytes)}`,
  columns: `${header}${repeated(',x', bytes)}\n${line}`,
  quotes: `${header}\n${repeated('"', bytes)}`,
  'quoted cells': `${header}\n${repeated('"",', bytes)}`,
  'an open quote': `${header}\n"${repeated('x\n', bytes)}`,
  semicolons: repeated('a;b\n', bytes),
  tabs: repeated('\t', bytes),
})

const xmlFiles = (bytes: number): Record<string, string> => ({
  elements: `<a>${repeated('<b/>', bytes)}</a>`,
  'open elements': repeated('<a>', bytes),
  attributes: `<a ${repeated('b="" ', bytes)}/>`,
  comments: `<a>${repeated('<!---->', bytes)}</a>`,
  text: `<a>${repeated('&amp;', bytes)}</a>`,
  entries: `<Document>${repeated('<Ntry><Amt Ccy="EUR">1.00</Amt><Refs><EndToEndId>PO-1</EndToEndId></Refs></Ntry>', bytes)}</Document>`,
  statuses: `<Document><CstmrPmtStsRpt><OrgnlPmtInfAndSts>${repeated('<TxInfAndSts><OrgnlEndToEndId>PO-1</OrgnlEndToEndId><TxSts>RJCT</TxSts></TxInfAndSts>', bytes)}</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`,
})

const callOf = (name: string) => {
  const endpoint = calls.find((one) => one.name === name)!
  return { method: endpoint.method, url: buildAddress(endpoint), token: tokenFor(endpoint) }
}

test('no file of a bank, of a previous program or of pictures holds the server', async () => {
  const long: string[] = []
  const sendFile = async (name: string, fields: object, files: Record<string, string>, field: string) => {
    for (const [kind, text] of Object.entries(files)) {
      const body = JSON.stringify({ ...fields, [field]: text })
      long.push(...(await holdsBriefly(`${name} of ${kind}`, { ...callOf(name), body })))
    }
  }
  const RESULTS = 1_000_000
  await sendFile('applyPayoutResults', { dryRun: true }, xmlFiles(RESULTS), 'file')
  const results = csvFiles(RESULTS, 'recipientId,amount,paymentReference,status', '1,1.00,PO-1,completed')
  await sendFile('applyPayoutResults', { dryRun: true }, results, 'file')
  const FILE = 10_000_000
  for (const kind of ['partners', 'leads', 'sales'] as const) {
    const leads = csvFiles(FILE, 'email,firstName,amount', 'a@shop.example,Ann,1.00')
    await sendFile('previewImport', { kind }, leads, 'csv')
    for (const [what, csv] of Object.entries(leads)) {
      await sendFile('createImport', { kind, format: 'csv', dryRun: true }, { [what]: csv }, 'csv')
      // its job runs in the same process
      const ms = await longestHold(() => workOff(app.services))
      if (ms > LONGEST_HOLD_MS) long.push(`the import of ${kind} of ${what} holds the server for ${Math.round(ms)} ms`)
    }
  }
  const chunk = Buffer.alloc(12)
  chunk.write('tEXt', 4, 'latin1')
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const pictures: Record<string, Buffer> = {
    'PNG of empty chunks': Buffer.concat([signature, ...Array(15_000).fill(chunk)]),
    'GIF of empty blocks': Buffer.concat([
      Buffer.from('GIF89a\x28\x00\x14\x00\x00\x00\x00', 'latin1'),
      Buffer.alloc(180_000, '!\xfe\x00', 'latin1'),
    ]),
    'JPEG of empty segments': Buffer.concat([
      Buffer.from('ffd8', 'hex'),
      Buffer.alloc(180_000, Buffer.from('ffe00002', 'hex')),
    ]),
    'JPEG of fill bytes': Buffer.alloc(180_000, 255),
    'WebP of empty chunks': Buffer.concat([
      Buffer.from('RIFF\xff\xff\xff\x00WEBP', 'latin1'),
      Buffer.alloc(180_000, 'XXXX\0\0\0\0', 'latin1'),
    ]),
  }
  const encoded = Object.fromEntries(Object.entries(pictures).map(([kind, bytes]) => [kind, bytes.toString('base64')]))
  await sendFile('createAsset', { kind: 'image', name: 'Banner' }, encoded, 'image')
  await sendFile('changeBrand', {}, encoded, 'logo')
  assert.deepEqual(long, [])
})

test('no body at a door outside the contract holds the server', async () => {
  const long: string[] = []
  const token = tokenFor(calls.find(({ name }) => name === 'createIncomingWebhook')!)!
  // the calls of the contract have made as many as this account may have
  const other = await anAccount(app)
  const mapped = ['firstName', 'lastName', 'email', 'phone', 'company', 'externalId', 'referralCode'].map((field) => ({
    field,
    path: `fields[label=${field}].value`,
    transform: 'trim',
  }))
  const webhook = expectOk(
    await app.api('POST', `/accounts/${other.id}/incoming-webhooks`, {
      token: other.token,
      body: { name: 'Any', target: 'lead', mapping: mapped, filters: [{ path: 'a.0.b', equals: 'x' }] },
    }),
  ).body
  const { slug } = expectOk(
    await app.api('PUT', `/accounts/${accountId}/program`, { token, body: { state: 'open', slug: 'holds' } }),
  ).body
  const assistant = expectOk(
    await app.api('POST', '/users/me/tokens', { token, body: { name: 'Assistant', expiresAt: null } }),
  ).body
  const FORM = 'application/x-www-form-urlencoded'
  const doors: { url: string; bytes: number; types: string[]; token?: string }[] = [
    {
      url: new URL(webhook.url).pathname,
      bytes: 256_000,
      types: ['application/json', FORM, 'text/plain', 'multipart/form-data; boundary=x'],
    },
    { url: `/join/${slug}`, bytes: 128_000, types: [FORM] },
    { url: `/embed/${publicId}/leads`, bytes: 16_000, types: ['application/json', 'text/plain'] },
    { url: `/embed/${publicId}/clicks`, bytes: 16_000, types: ['application/json', 'text/plain'] },
    { url: '/mcp', bytes: 256_000, types: ['application/json'], token: assistant.token },
    { url: '/hooks/wise', bytes: 256_000, types: ['application/json'] },
    ...[
      'stripe',
      'paddle',
      'paypal',
      'square',
      'lemon-squeezy',
      'shopify',
      'woocommerce',
      'polar',
      'chargebee',
      'recurly',
    ].map((provider) => ({
      ...{ url: `/hooks/providers/${provider}/unknown`, bytes: 256_000, types: ['application/json'] },
    })),
    { url: '/mail/unsubscribe/unknown', bytes: 10_000, types: [FORM] },
  ]
  for (const { url, bytes, types, ...by } of doors) {
    const fields = ['email', 'firstName', 'referralCode', 'pageUrl', 'q0', 'fields', 'a', 'params']
    const texts = kinds.flatMap((kind): [string, string][] => {
      const text = fitted(kind)
      const json = Object.fromEntries(fields.map((field) => [field, text(Math.floor(bytes / fields.length) - 20)]))
      return [
        [`JSON of ${kind}`, JSON.stringify(json)],
        [`one field of ${kind}`, JSON.stringify({ email: text(bytes - 20) })],
        [`a form of ${kind}`, `email=${text(bytes - 20)}`],
        [`text of ${kind}`, text(bytes)],
      ]
    })
    const parts: [string, string][] = [
      ['fields of a form', repeated('a=1&', bytes)],
      ['names of a form', repeated('&', bytes)],
      ['fields with levels', repeated('a[b][c]=1&', bytes)],
      ['card numbers', JSON.stringify({ a: repeated('4111 1111 1111 1111 ', bytes - 10) })],
      ['encoded bytes', repeated('%41', bytes)],
      ['parts', `${repeated('--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n', bytes)}--x--`],
      ['beginnings of parts', repeated('--x\r\n', bytes)],
      ['heads of parts', `--x\r\n${repeated('a:b\r\n', bytes - 10)}`],
      ['labels', JSON.stringify({ fields: Array(Math.floor(bytes / 26)).fill({ label: 'x', value: 'y' }) })],
      ['levels', `${'['.repeat(Math.floor(bytes / 2))}${']'.repeat(Math.floor(bytes / 2))}`],
      ...wideBodies(bytes),
    ]
    for (const type of types)
      for (const [kind, body] of [...parts, ...texts])
        long.push(
          ...(await holdsBriefly(`${url} as ${type} of ${kind}`, {
            method: 'POST',
            url: app.url + url,
            type,
            body,
            ...by,
          })),
        )
  }
  assert.deepEqual(long, [])
})

test('no page with prose holds the server', async () => {
  const long: string[] = []
  const save = async (name: string, body: object) =>
    sendRequest(callOf(name).url, {
      method: callOf(name).method,
      headers: { authorization: `Bearer ${callOf(name).token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const prose = [
    '**a',
    '[a](',
    '[a](https://a.example) ',
    '- a\n',
    '# ',
    '*a* ',
    '_a',
    'https://a.example/ ',
    '\n\n',
    '> ',
  ]
  for (const piece of prose) {
    await save('saveProgram', {
      state: 'open',
      slug: 'holds',
      text: repeated(piece, 4999),
      rules: repeated(piece, 4999),
    })
    await save('publishAgreement', { text: repeated(piece, 49_999), changes: 'All' })
    for (const page of ['/join/holds', '/join/holds/agreement']) {
      const ms = await longestHold(() => sendRequest(app.url + page, { method: 'GET' }))
      if (ms > LONGEST_HOLD_MS) long.push(`${page} of ${piece} holds the server for ${Math.round(ms)} ms`)
    }
  }
  assert.deepEqual(long, [])
})
