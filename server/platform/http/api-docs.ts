import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import Fastify from 'fastify'
import { addresses } from '#contract/addresses.ts'
import { endpoints } from '#contract/index.ts'
import { pushLeads } from '#contract/leads.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Config } from '../config/config.ts'
import { lazyValue } from '../lazy-value.ts'
import { buildReferencePage } from './api-docs-page.ts'
import { acceptedEncodings } from './encodings.ts'
import type { NamedLimit } from './limits.ts'
import { contentSecurityPolicy } from './security-headers.ts'
import type { Shell } from './shell.ts'

const DOCUMENT = '/api/v1/openapi.json'
const PAGE = '/api/docs'
const EXPLORER = '/api/docs/explorer'
const SCRIPT = '/api/docs/reference.js'
const LIMIT: NamedLimit = { name: 'docs', perMinute: 120, by: 'network' }

/**
 * `GET /api/v1/openapi.json`, the page that begins the reference, and the explorer for reading and trying the calls.
 * The explorer's script is a library of some megabytes, so it is loaded, compressed and cached when it is first opened;
 * the browser fetches nothing from elsewhere.
 */
export function docsRoutes({ fastify, services: { config } }: Shell) {
  const declared = { policy: 'public', limit: LIMIT }
  const document = lazyValue(async () => JSON.stringify(await describeCalls(config)))
  const script = lazyValue(async () => pack(await loadReference()))

  fastify.get(DOCUMENT, { config: declared }, async (_, reply) =>
    reply.type('application/json; charset=utf-8').send(await document()),
  )

  const first = lazyValue(readFirstCall)
  fastify.get(PAGE, { config: declared }, async (_, reply) => {
    const nonce = randomBytes(16).toString('base64url')
    const policy = contentSecurityPolicy({ 'script-src': "'none'", 'style-src': `'nonce-${nonce}'` })
    const { appUrl } = config
    const given = { appUrl, calls: endpoints, first: await first(), explorer: EXPLORER, document: DOCUMENT }
    return reply
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(buildReferencePage(given, nonce))
  })

  fastify.get(EXPLORER, { config: declared }, async (_, reply) => {
    const nonce = randomBytes(16).toString('base64url')
    const policy = contentSecurityPolicy({
      'script-src': `'nonce-${nonce}'`,
      // The library writes styles and markup in ways that the product's strict policy does not allow.
      'style-src': "'unsafe-inline'",
      'require-trusted-types-for': null,
    })
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(explorerPage(nonce))
  })

  fastify.get(SCRIPT, { config: declared }, async (request, reply) => {
    const packed = await script()
    const [encoding] = acceptedEncodings(request.headers['accept-encoding'])
    if (encoding) reply.header('content-encoding', encoding)
    return reply
      .headers({ 'cache-control': 'public, max-age=86400', vary: 'accept-encoding' })
      .type('text/javascript; charset=utf-8')
      .send(packed[encoding ?? 'identity'])
  })
}

/** Returns the OpenAPI document of this install; its examples are loaded on first use. */
export async function describeCalls({ appUrl, appEnv }: Config) {
  const { openApiDocument } = await import('./openapi.ts')
  return openApiDocument(endpoints, { appUrl, environment: appEnv, version: packageJson.version }, addresses)
}

/** Returns the example of a pushed lead, without the fields that a first try leaves out. */
async function readFirstCall() {
  const { findExample } = await import('#contract/examples/index.ts')
  const { body, reply } = findExample(pushLeads) as { body: Record<string, unknown>; reply: unknown }
  const { email, firstName, referralCode } = body
  return { call: pushLeads, body: { email, firstName, referralCode }, reply, code: String(referralCode) }
}

const CONFIGURATION = {
  url: DOCUMENT,
  // Calls go to the server that shows the page, by whatever name it was opened.
  servers: [{ url: '/api/v1' }],
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  documentDownloadType: 'direct',
  agent: { disabled: true },
  mcp: { disabled: true },
}

const explorerPage = (nonce: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>API explorer · Tributary</title>
    <link rel="icon" href="data:," />
  </head>
  <body>
    <div id="reference"></div>
    <script nonce="${nonce}">globalThis.__zod_globalConfig = { jitless: true }</script>
    <script nonce="${nonce}" src="${SCRIPT}?v=${packageJson.dependencies['@scalar/fastify-api-reference']}"></script>
    <script nonce="${nonce}">Scalar.createApiReference('#reference', ${JSON.stringify(CONFIGURATION)})</script>
  </body>
</html>
`

/** Loads the library's browser script through its plugin, the only way to get it. */
async function loadReference(): Promise<Buffer> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const shelf = Fastify()
  try {
    await shelf.register(reference, { routePrefix: '/reference', configuration: { url: DOCUMENT } })
    const { statusCode, rawPayload } = await shelf.inject('/reference/js/scalar.js')
    if (statusCode !== 200) throw new Error(`the API reference's script answers ${statusCode}`)
    return rawPayload
  } finally {
    await shelf.close()
  }
}

async function pack(identity: Buffer) {
  const quality = {
    params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length },
  }
  const [br, packed] = await Promise.all([promisify(brotliCompress)(identity, quality), promisify(gzip)(identity)])
  return { identity, br, gzip: packed }
}
